import { FIELD_TYPES } from './field-types.ts'
import { displayNameType } from './fields/display-name.ts'
import type { AnyFieldDef, Field, FieldCompute, Relation } from './fields/field.ts'

/** The model and the addon of a field definition. */
export interface FieldPlace {
  readonly name: string
  readonly model: string
  readonly table: string
  readonly addon: string
  readonly compute: FieldCompute | null
  /** Languages that the addons bring. */
  readonly languages: readonly string[]
  readonly system?: boolean
}

const list = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value

/** `partner_id` → `Partner`, `date_order` → `Date Order`. */
export const labelOf = (name: string): string =>
  name
    .replace(/_ids?$/, '')
    .split('_')
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(' ')

function relationOf({ type, options }: AnyFieldDef, place: FieldPlace): Relation | null {
  const target = options.target
  if (target === undefined) return null
  if (type === 'many2one') {
    return { kind: 'many2one', target, ondelete: options.ondelete ?? (options.required ? 'restrict' : 'set null') }
  }
  if (type === 'one2many') return { kind: 'one2many', target, inverse: options.inverse! }
  const own = { table: `${place.table}_${place.name}_rel`, left: 'source_id', right: 'target_id' }
  return { kind: 'many2many', target, ...(options.relationTable ?? own) }
}

/** Compiles a declared field: every option gets its final value. */
export function compileField(definition: AnyFieldDef, place: FieldPlace): Field {
  const { options } = definition
  const type = place.system && place.name === 'display_name' ? displayNameType : FIELD_TYPES[definition.type]
  const related = options.related?.split('.') ?? null
  const computed = place.compute !== null || related !== null
  const sqlType = type.sqlType(options)
  const stored = computed ? options.compute === 'stored' : options.compute === undefined
  return Object.freeze({
    name: place.name,
    model: place.model,
    addon: place.addon,
    type,
    label: options.label ?? labelOf(place.name),
    help: options.help ?? null,
    required: options.required ?? false,
    readonly: options.readonly ?? (computed && place.compute?.inverse == null),
    index: options.index ?? false,
    unique: options.unique ?? false,
    copy: options.copy ?? (!computed && definition.type !== 'one2many' && options.unique !== true),
    tracking: options.tracking ?? false,
    secret: options.secret ?? false,
    system: place.system ?? false,
    groups: list(options.groups),
    privateTo: list(options.privateTo),
    holdsOthers: options.holdsOthers ?? false,
    size: options.size ?? null,
    sequence: options.sequence ?? null,
    digits: options.digits ?? null,
    currencyField: options.currencyField ?? (definition.type === 'monetary' ? 'currency_id' : null),
    selection: options.selection ? new Map(Object.entries(options.selection)) : null,
    domain: options.domain ?? null,
    checkCompany: options.checkCompany ?? true,
    relation: relationOf(definition, place),
    default: options.default,
    defaultFrom: options.defaultFrom,
    compute: place.compute,
    related,
    languages: options.translate ? place.languages : [],
    translationOf: null,
    column: stored && sqlType !== null ? place.name : null,
    sqlType: stored ? sqlType : null,
  })
}
