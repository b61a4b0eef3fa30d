import { isSearched } from '../../domain/search-operand.ts'
import type { Field } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'

/** Whether the database can sort and group by it: it has a column, or leads to one. */
const isStored = (field: Field): boolean => field.column !== null || field.related !== null

export const isSortable = (field: Field): boolean => field.type.sortable && isStored(field)

export const isGroupable = (field: Field): boolean =>
  field.type.groupable && (isStored(field) || (field.relation?.kind === 'many2many' && field.compute === null))

export const isSearchable = (field: Field): boolean =>
  field.type.comparison !== 'opaque' && (!isSearched(field) || field.compute?.search != null)

/** Whether sums of it make sense. Sums of coordinates and positions do not. */
export const isAggregatable = (field: Field): boolean =>
  field.type.measures.includes('sum') && field.column !== null && !field.system && !NO_AMOUNTS.has(field.name)

const NO_AMOUNTS: ReadonlySet<string> = new Set(['sequence', 'priority', 'latitude', 'longitude', 'color'])

export const isDay = (field: Field): boolean => field.type.comparison === 'date' || field.type.comparison === 'datetime'

export const isMany = (field: Field): boolean => field.type.comparison === 'x2many'

/** Takes lines rather than a cell: long text, markup, structured values. */
export const isLong = (field: Field): boolean => LONG_WIDGETS.has(field.type.widget)

const LONG_WIDGETS: ReadonlySet<string> = new Set(['text', 'html', 'json'])

/** Fields people see: not the kernel's own, not secrets; a translated text is one field. */
export const shownFields = (model: Model): readonly Field[] =>
  [...model.fields.values()].filter((field) => !field.system && !field.secret && field.translationOf === null)
