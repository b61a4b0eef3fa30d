import type { ArchNode } from '../../../../../kernel/view/arch/arch.ts'
import type { WireArch, WireField, WireWorkspace } from '../../../../../kernel/view/wire.ts'
import { elementsOf } from '../../core/arch.ts'
import { findField } from '../../core/registries.ts'
import { namesOf } from '../../fields/value/names.ts'
import { idsOf } from '../../fields/value/values.ts'
import { plainRecord } from '../../store/plain-record.ts'
import type { Values } from '../../store/records.ts'

/** What views of records in time or on a map have in common. */
export interface PlanArch {
  readonly model: string
  readonly fields: readonly WireField[]
  readonly related: WireArch['related']
  readonly attrs: Readonly<Record<string, string>>
  /** The fields the view shows of a record; the first one names it. */
  readonly shown: readonly ShownField[]
  readonly mayWrite: boolean
  readonly mayCreate: boolean
  /** A field that an attribute of the view names. */
  fieldOf(attribute: string): WireField | null
}

export interface ShownField {
  readonly node: ArchNode
  readonly field: WireField
}

const isOff = (flag: string | undefined): boolean => flag === '0' || flag === 'false'

export function parsePlanArch({ arch: { model, fields, related, root, access } }: WireWorkspace): PlanArch {
  const { attrs } = root
  const byName = (name: string | undefined) => fields.find((field) => field.name === name) ?? null
  return {
    model,
    fields,
    related,
    attrs,
    shown: elementsOf(root).flatMap((node) => {
      const field = node.tag === 'field' ? byName(node.attrs['name']) : null
      return field && node.attrs['invisible'] === undefined ? [{ node, field }] : []
    }),
    mayWrite: access.write && !isOff(attrs['edit']),
    mayCreate: access.create && !isOff(attrs['create']),
    fieldOf: (attribute) => byName(attrs[attribute]?.split(':')[0]),
  }
}

/** A value of a record as plain text. */
export function shownText(arch: PlanArch, { node, field }: ShownField, id: number, values: Values): string {
  const value = values[field.name]
  if (field.type === 'many2many' && field.relation !== undefined)
    return namesOf(field.relation, idsOf(value)).join(', ')
  const record = plainRecord({ model: arch.model, id, related: arch.related }, values)
  return findField('list', field.type, node.attrs['widget']).format?.(value, field, record) ?? ''
}

/** Name of a record: its first field in the view. */
export function titleOf(arch: PlanArch, id: number, values: Values): string {
  const [first] = arch.shown
  return (first && shownText(arch, first, id, values)) || `#${id}`
}
