import type { BehaviorOptions } from './behavior.ts'
import type { ExtensionDef, ModelDef } from './define.ts'
import type { FieldOptions, TypeOptions } from './fields/field.ts'
import { mostLikeIn } from './similar.ts'

/** The keys of a type, as values; the type checker ensures that none is missing. */
export type Keys<T> = Readonly<Record<keyof T, true>>

export const FIELD_KEYS: Keys<FieldOptions & TypeOptions> = {
  label: true,
  help: true,
  required: true,
  readonly: true,
  default: true,
  defaultFrom: true,
  index: true,
  unique: true,
  groups: true,
  privateTo: true,
  holdsOthers: true,
  tracking: true,
  copy: true,
  compute: true,
  related: true,
  secret: true,
  translate: true,
  size: true,
  sequence: true,
  digits: true,
  currencyField: true,
  selection: true,
  target: true,
  inverse: true,
  ondelete: true,
  domain: true,
  checkCompany: true,
  relationTable: true,
}

export const MODEL_KEYS: Readonly<Record<'model' | 'extension', Readonly<Record<string, true>>>> = {
  model: {
    kind: true,
    name: true,
    label: true,
    fields: true,
    order: true,
    displayName: true,
    searchFields: true,
    aboutFields: true,
    parentField: true,
    constraints: true,
    mixins: true,
    expandGroups: true,
    rpc: true,
    chatter: true,
    chatterOnRead: true,
    threadOf: true,
    handOver: true,
  } satisfies Keys<ModelDef>,
  extension: {
    kind: true,
    name: true,
    fields: true,
    selections: true,
    constraints: true,
    mixins: true,
    chatter: true,
    chatterOnRead: true,
  } satisfies Keys<ExtensionDef>,
}

export const BEHAVIOR_KEYS: Keys<BehaviorOptions<never>> = {
  computes: true,
  checks: true,
  onchange: true,
  actions: true,
  actionGroups: true,
  grantedActions: true,
  undoableActions: true,
  undoneBy: true,
  scheduledActions: true,
  events: true,
  on: true,
}

/** One text for each key that does not exist: `requierd (did you mean required?)`. Without an error, it would have no effect and not be noticed. */
export function unknownKeys(given: object, known: Readonly<Record<string, true>>): readonly string[] {
  const unknown = Object.keys(given).filter((key) => !Object.hasOwn(known, key))
  const meantBy = mostLikeIn(Object.keys(known))
  return unknown.map((key) => {
    const meant = meantBy(key)
    return meant === null ? key : `${key} (did you mean ${meant}?)`
  })
}
