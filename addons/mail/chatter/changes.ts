import { displayNames, type Env, type Field, labelIn, type Model, type TrackedChange } from '#kernel'

/** A change as shown: links with names, selection keys with labels, amounts with the name of their currency. */
export interface ShownChange {
  readonly field: string
  readonly label: string
  readonly type: string
  readonly old: unknown
  readonly new: unknown
  readonly currency?: string
}

/** Name of a linked record by its model and id; undefined for those the reader may not see. */
type NameOf = (model: string, id: number) => string | undefined

type Show = (value: unknown, field: Field, nameOf: NameOf, env: Env) => unknown

const pair = (id: unknown, { relation }: Field, nameOf: NameOf) => [id, nameOf(relation!.target, id as number) ?? null]

/** Converts stored values to what is shown, for types that need it. */
const SHOWN: Readonly<Partial<Record<string, Show>>> = {
  selection: (key, { selection }, _nameOf, { t }) => t(selection?.get(key as string) ?? (key as string)),
  datetime: (text) => new Date(text as string).toISOString(),
  many2one: pair,
  many2many: (ids, field, nameOf) => (ids as readonly number[]).map((id) => pair(id, field, nameOf)),
}

/** The changes of each message that the reader may see, with the current labels of the fields. */
export async function showChanges(
  env: Env,
  readable: ReadonlyMap<string, Field>,
  messages: readonly (readonly TrackedChange[] | null)[],
): Promise<readonly (readonly ShownChange[])[]> {
  const tracked = messages.map((changes) => (changes ?? []).filter(({ field }) => readable.has(field)))
  const nameOf = await loadNames(env, readable, tracked.flat())
  const visible = tracked.map((changes) =>
    changes.filter((change) => tellsAnything(readable.get(change.field)!, change, nameOf)),
  )
  const currencyOf = ({ field, currency }: TrackedChange) => nameOf(currencyModel(readable, field) ?? '', currency ?? 0)
  const show = (value: unknown, field: Field) =>
    value === null ? null : (SHOWN[field.type.name]?.(value, field, nameOf, env) ?? value)
  return visible.map((changes) =>
    changes.map((change) => {
      const field = readable.get(change.field)!
      const { type } = field
      const currency = currencyOf(change)
      return {
        field: field.name,
        label: labelIn(env.t, field),
        type: type.name,
        old: show(change.old, field),
        new: show(change.new, field),
        ...(currency !== undefined && { currency }),
      }
    }),
  )
}

/** Whether a change shows the reader anything; false if it only links to records the reader may not see. */
function tellsAnything({ relation }: Field, change: TrackedChange, nameOf: NameOf): boolean {
  if (relation === null) return true
  const ids = [change.old, change.new].flat().filter((id) => typeof id === 'number')
  return ids.length === 0 || ids.some((id) => nameOf(relation.target, id) !== undefined)
}

/** The model that has the currency of an amount, if the reader may see the link to it. */
const currencyModel = (fields: ReadonlyMap<string, Field>, name: string): string | undefined =>
  fields.get(fields.get(name)?.currencyField ?? '')?.relation?.target

/** Names of everything the changes link to, one statement per model. */
async function loadNames(
  env: Env,
  fields: ReadonlyMap<string, Field>,
  changes: readonly TrackedChange[],
): Promise<NameOf> {
  const wanted = new Map<Model, Set<number>>()
  const want = (model: string | undefined, values: readonly unknown[]) => {
    const target = model === undefined ? undefined : env.registry.model(model)
    const ids = values.flat().filter((id) => typeof id === 'number')
    if (target && ids.length > 0) wanted.set(target, new Set([...(wanted.get(target) ?? []), ...ids]))
  }
  for (const change of changes) {
    want(fields.get(change.field)!.relation?.target, [change.old, change.new])
    want(currencyModel(fields, change.field), [change.currency])
  }
  const names = new Map<string, ReadonlyMap<number, string>>()
  for (const [target, ids] of wanted) names.set(target.name, await displayNames(env, target, [...ids]))
  return (model, id) => names.get(model)?.get(id)
}
