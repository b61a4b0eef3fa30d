import type { Env } from '../../../env.ts'
import { unlink } from '../../../orm/record/unlink.ts'
import { modelOf } from '../../../orm/statement/scope.ts'
import { slicesOf } from '../../../slices.ts'
import type { Column } from '../column/column.ts'
import type { Applied } from '../write/apply.ts'

/** Records that lookups created because no record had their name, by model. */
export type CreatedTargets = Map<string, readonly number[]>

/** Records of one statement. */
const BATCH = 1_000

/** Deletes created records that only refused or skipped rows name, so that a row that is not imported leaves nothing behind. */
export async function dropUnused(
  env: Env,
  columns: readonly Column[],
  applied: readonly Applied[],
  targets: CreatedTargets,
): Promise<void> {
  if (targets.size === 0) return
  const used = linkedBy(columns, applied)
  const sudo = env.sudo('an import takes back what it created itself a moment ago')
  for (const [name, ids] of targets) {
    const isUsed = (id: number) => used.get(name)?.has(id) === true
    const unused = ids.filter((id) => !isUsed(id))
    for await (const some of slicesOf(env, unused, BATCH)) await unlink(sudo, modelOf(env, name), some)
    targets.set(name, ids.filter(isUsed))
  }
}

/** The ids that imported records and their lines link to, by model. */
function linkedBy(columns: readonly Column[], applied: readonly Applied[]): ReadonlyMap<string, ReadonlySet<number>> {
  const linked = new Map<string, Set<number>>()
  for (const { field, line } of columns) {
    if (!field?.relation) continue
    const ids = linked.get(field.relation.target) ?? new Set<number>()
    linked.set(field.relation.target, ids)
    for (const { planned } of applied) {
      const { values, lines } = planned.record
      const all = line === null ? [values] : (lines.get(line.name) ?? []).map((each) => each.values)
      for (const each of all) for (const id of idsIn(each[field.name])) ids.add(id)
    }
  }
  return linked
}

/** A many2one is an id, a many2many the command that sets its ids. */
const idsIn = (value: unknown): readonly number[] =>
  typeof value === 'number' ? [value] : Array.isArray(value) ? (value as [[6, 0, readonly number[]]])[0][2] : []
