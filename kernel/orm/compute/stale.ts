import type { Env } from '../../env.ts'
import { mirrorFields } from '../../model/check-needs.ts'
import type { Model, Registry, Trigger } from '../../model/registry.ts'
import { sql } from '../../sql/sql.ts'
import { modelOf } from '../statement/scope.ts'
import { reachingIds } from './path.ts'

/** Model → stored computed field, or check by its `checkName` → ids of the records to compute or to check again. */
export type Stale = Map<string, Map<string, Set<number>>>

/**
 * Which fields of records have changed. `all`: the records were created or are about to be deleted. `created`: they were
 * created without links, so no other record points at them yet.
 */
export type Changed = ReadonlySet<string> | 'all' | 'created'

/** Whether a field has changed. The display name is composed of other fields of the row and changes with them. */
export function isChanged(model: Model, changed: Changed, field: string): boolean {
  if (typeof changed === 'string') return true
  return changed.has(field) || (field === 'display_name' && model.displayFields.some((name) => changed.has(name)))
}

/**
 * Adds to `stale` every computed value and check, of these records or of others, that depends on the changed fields. It
 * follows the links as they are now, so where links change, call it before and after: a line that moves to another order
 * changes the totals of both. At most one statement.
 */
export async function collectStale(
  env: Env,
  model: Model,
  ids: readonly number[],
  changed: Changed,
  stale: Stale,
): Promise<void> {
  if (ids.length === 0) return
  if (typeof changed === 'string') {
    for (const field of model.fields.values()) if (field.compute?.stored) addStale(stale, model.name, field.name, ids)
  }
  const far = new Map<string, Watcher>()
  for (const watcher of watchers(env.registry, model, changed)) {
    // Checks of the written record itself run in any case.
    if (watcher.path.length > 0) far.set(`${watcher.model} ${watcher.name} ${watcher.path.join('.')}`, watcher)
    else if (!watcher.isCheck) addStale(stale, watcher.model, watcher.name, ids)
  }
  await findStale(env, ids, [...far.values()], stale)
}

/** Like `collectStale`, after a computed field got a new stored value. That was no write of the record, so its own checks are added too. */
export async function collectOutdated(
  env: Env,
  model: Model,
  ids: readonly number[],
  field: string,
  stale: Stale,
): Promise<void> {
  const changed = new Set([field])
  for (const { path, isCheck, name } of watchers(env.registry, model, changed)) {
    if (isCheck && path.length === 0) addStale(stale, model.name, name, ids)
  }
  await collectStale(env, model, ids, changed, stale)
}

/** A computed field or check of `model` that reads the changed record over `path`. */
interface Watcher {
  readonly model: string
  /** Field or `checkName`. */
  readonly name: string
  readonly isCheck: boolean
  readonly path: readonly string[]
}

function* watchers(registry: Registry, model: Model, changed: Changed): Generator<Watcher> {
  for (const [field, triggers] of model.triggers) {
    if (!isChanged(model, changed, field)) continue
    for (const { model: owner, field: name, path } of triggers) {
      if (canReach(registry, owner, path, changed)) yield { model: owner, name, isCheck: false, path }
    }
  }
  for (const { model: owner, field: name, path } of mirroredTriggers(registry, model, changed)) {
    if (canReach(registry, owner, path, changed)) yield { model: owner, name, isCheck: false, path }
  }
  for (const { owner, check, field, path } of model.checkTriggers) {
    if (!isChanged(model, changed, field) || !canReach(registry, owner, path, changed)) continue
    yield { model: owner, name: check, isCheck: true, path }
  }
}

/**
 * Triggers of the other side of a changed many2many: if the tags of a partner change, the partners of those tags change, too.
 */
function mirroredTriggers(registry: Registry, model: Model, changed: Changed): readonly Trigger[] {
  return [...model.fields.values()].flatMap((field) => {
    if (field.relation?.kind !== 'many2many' || !isChanged(model, changed, field.name)) return []
    const target = registry.model(field.relation.target)!
    return mirrorFields(field, target).flatMap((mirror) =>
      (target.triggers.get(mirror) ?? []).map((trigger) => ({ ...trigger, path: [...trigger.path, mirror] })),
    )
  })
}

/**
 * Whether `path` can lead to a changed record. Nothing points at a newly created record, so only a one2many finds it: through
 * the many2one that the record itself has.
 */
function canReach(registry: Registry, owner: string, path: readonly string[], changed: Changed): boolean {
  if (changed !== 'created' || path.length === 0) return true
  let model = registry.model(owner)
  for (const step of path.slice(0, -1)) model = registry.model(model?.fields.get(step)?.relation?.target ?? '')
  return model?.fields.get(path.at(-1)!)?.relation?.kind === 'one2many'
}

async function findStale(env: Env, ids: readonly number[], far: readonly Watcher[], stale: Stale): Promise<void> {
  if (far.length === 0) return
  const routes = new Map<string, Pick<Watcher, 'model' | 'path'> & { readonly names: string[] }>()
  for (const { model, path, name } of far) {
    const key = `${model} ${path.join('.')}`
    const route = routes.get(key) ?? { model, path, names: [] }
    routes.set(key, route)
    route.names.push(name)
  }
  const parts = [...routes.values()]
  const queries = parts.map(({ model, path }, index) => {
    const reaching = reachingIds(env.registry, modelOf(env, model), path, ids)
    return sql`select distinct ${index}::int as part, s.id from (${reaching}) as s(id) where s.id is not null`
  })
  const { rows } = await sql<{ part: number; id: number }>`${sql.join(queries, sql` union all `)}`.execute(env.tx)
  for (const { part, id } of rows) {
    const { model, names } = parts[part]!
    for (const name of names) addStale(stale, model, name, [id])
  }
}

export function addStale(stale: Stale, model: string, name: string, ids: Iterable<number>): void {
  const names = stale.get(model) ?? new Map<string, Set<number>>()
  stale.set(model, names)
  const known = names.get(name) ?? new Set<number>()
  names.set(name, known)
  for (const id of ids) known.add(id)
}
