import type { Env } from '../../env.ts'
import type { Field } from '../../model/fields/field.ts'
import type { LinkCommand } from '../../model/fields/x2many.ts'
import type { Model } from '../../model/registry.ts'
import { checkNew, createChecked } from '../../orm/record/create.ts'
import { read } from '../../orm/record/read.ts'
import { writeEach } from '../../orm/record/write.ts'
import type { ParsedValues } from '../../orm/statement/values.ts'
import type { Match } from './match.ts'
import type { ImportRecord, Line } from './record.ts'

/** A record of the file together with what becomes of it. */
export interface Planned {
  readonly record: ImportRecord
  readonly match: Extract<Match, { readonly kind: 'new' | 'known' }>
}

/** What an import did with a record. */
export interface Applied {
  readonly planned: Planned
  readonly id: number
  readonly change: 'create' | 'update' | 'unchanged'
  /** Of an update: the wire values before, by changed field. */
  readonly before: Readonly<Record<string, unknown>>
  /** Lines were replaced, so that the former state cannot be restored. */
  readonly hasNewLines: boolean
}

/** Creates and updates records with the rights, checks and events of any other write: one create and one write for all of them. */
export async function applyRecords(
  env: Env,
  model: Model,
  all: readonly Planned[],
  checked: readonly ParsedValues[] | null = null,
): Promise<readonly Applied[]> {
  const created = all.filter(isNew)
  const records = created.map(({ record }) => newValues(record))
  const ids =
    created.length === 0
      ? []
      : await createChecked(env, model, records, checked ?? (await checkNew(env, model, records)))
  const made = created.map(
    (planned, index): Applied => ({ planned, id: ids[index]!, change: 'create', before: {}, hasNewLines: false }),
  )
  return [...made, ...(await applyUpdates(env, model, all))]
}

const isNew = ({ match }: Planned): boolean => match.kind === 'new'

/** What of `applyRecords` needs no database; null if that fails, as it then does again in its turn. */
export const checkAhead = (env: Env, model: Model, all: readonly Planned[]): Promise<readonly ParsedValues[] | null> =>
  checkNew(
    env,
    model,
    all.filter(isNew).map(({ record }) => newValues(record)),
  ).catch(() => null)

/** Writes only what differs: a record that has all the values already keeps its version. */
async function applyUpdates(env: Env, model: Model, all: readonly Planned[]): Promise<readonly Applied[]> {
  const known = all.flatMap((planned) => (planned.match.kind === 'known' ? [{ planned, id: planned.match.id }] : []))
  if (known.length === 0) return []
  const names = [...new Set(known.flatMap(({ planned }) => Object.keys(planned.record.values)))]
  const stored = new Map(
    (
      await read(
        env,
        model,
        known.map(({ id }) => id),
        names,
        { isTrusted: true },
      )
    ).map((row) => [row['id'] as number, row]),
  )
  const writes = new Map<number, Record<string, unknown>>()
  const applied = known.map(({ planned, id }): Applied => {
    const { values, lines } = planned.record
    const now = stored.get(id)!
    const changed = Object.entries(values).filter(([name, value]) => !isSame(model.fields.get(name)!, now[name], value))
    const replaced = [...lines].map(([name, list]): [string, readonly LinkCommand[]] => [
      name,
      lineCommands(list, true),
    ])
    const isChanged = changed.length + replaced.length > 0
    if (isChanged) writes.set(id, Object.fromEntries([...changed, ...replaced]))
    const before = Object.fromEntries(changed.map(([name]) => [name, now[name]]))
    return { planned, id, change: isChanged ? 'update' : 'unchanged', before, hasNewLines: replaced.length > 0 }
  })
  await writeEach(env, model, writes)
  return applied
}

const newValues = ({ values, lines }: ImportRecord): Readonly<Record<string, unknown>> =>
  lines.size === 0
    ? values
    : { ...values, ...Object.fromEntries([...lines].map(([name, list]) => [name, lineCommands(list, false)])) }

/** Lines with an id are changed, others are added; if none has an id, they replace those that are there. */
function lineCommands(lines: readonly Line[], isUpdate: boolean): readonly LinkCommand[] {
  const commands = lines.map(({ id, values }): LinkCommand => (id === null ? [0, 0, values] : [1, id, values]))
  return isUpdate && lines.every(({ id }) => id === null) ? [[5], ...commands] : commands
}

/** Whether the stored wire value is what a write of `value` would store. */
function isSame(field: Field, stored: unknown, value: unknown): boolean {
  if (field.type.comparison === 'many2one') return ((stored as readonly [number] | null)?.[0] ?? null) === value
  if (field.type.comparison === 'x2many') {
    const [, , wanted] = (value as readonly (readonly [6, 0, readonly number[]])[])[0]!
    return isSameSet(stored as readonly number[], wanted)
  }
  const parsed = value === null ? (field.type.comparison === 'boolean' ? false : null) : field.type.parse(value, field)
  return JSON.stringify(parsed) === JSON.stringify(stored ?? null)
}

const isSameSet = (a: readonly number[], b: readonly number[]): boolean => {
  const wanted = new Set(b)
  return a.length === wanted.size && a.every((id) => wanted.has(id))
}
