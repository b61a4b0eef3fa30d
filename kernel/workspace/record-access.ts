import type { Env } from '../env.ts'
import { isTrue } from '../expression/evaluate.ts'
import { parseExpression } from '../expression/parse.ts'
import type { Model } from '../model/registry.ts'
import { columnOf, compileRule, fromTable, rootScope } from '../orm/statement/scope.ts'
import { sql } from '../sql/sql.ts'
import { type ArchNode, ownFieldNodes } from '../view/arch/arch.ts'
import { withoutChanges } from '../view/prune.ts'
import type { WireAccess, WireArch, WireRecord } from '../view/wire.ts'

/**
 * The form for one record: what it offers is limited by record rules, by the `readonly` of the form, and for archiving by the `readonly`
 * of its field `active`.
 */
export async function archOfRecord(env: Env, model: Model, arch: WireArch, record: WireRecord): Promise<WireArch> {
  const byRules = await accessByRules(env, model, record.id, arch.access)
  const access = { ...byRules, write: byRules.write && !isReadonly(env, arch.root, record) }
  const isRefused = arch.access.write && !access.write
  const { archivable, ...others } = arch
  const isKept = ownFieldNodes(arch.root).some(
    (node) => node.attrs['name'] === 'active' && isReadonly(env, node, record),
  )
  return {
    ...others,
    ...(archivable && !isKept && { archivable }),
    access,
    ...(isRefused && { root: withoutChanges(env, model, arch.root) }),
  }
}

/** Queries only if there is a rule. */
async function accessByRules(env: Env, model: Model, id: number, access: WireAccess): Promise<WireAccess> {
  const scope = rootScope(env, model)
  const write = access.write ? compileRule(scope, 'write') : null
  const unlink = access.unlink ? compileRule(scope, 'unlink') : null
  if (write === null && unlink === null) return access
  const { rows } = await sql<{ write: boolean; unlink: boolean }>`
    select (${write ?? sql`true`}) is true as write, (${unlink ?? sql`true`}) is true as unlink
    from ${fromTable(scope)} where ${columnOf(scope, 'id')} = ${id}`.execute(env.tx)
  const [allowed] = rows
  return {
    ...access,
    write: access.write && allowed?.write === true,
    unlink: access.unlink && allowed?.unlink === true,
  }
}

/** Whether the form is read-only for the record. Its condition parses, since that was checked at the install. */
function isReadonly({ user, now }: Env, { attrs }: ArchNode, values: WireRecord): boolean {
  const condition = attrs['readonly']
  if (condition === undefined) return false
  return isTrue(parseExpression(condition), { values, uid: user.id, today: now.toISOString().slice(0, 10) })
}
