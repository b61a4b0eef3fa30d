import type { Env } from '../env.ts'
import { sql } from '../sql/sql.ts'
import type { WireRole, WireRoleApp, WireRoles } from '../view/wire-admin.ts'

interface GroupRow {
  readonly id: number
  readonly name: string
  readonly category: string | null
  readonly comment: string | null
  /** Null: made by an administrator, so its texts are not translated. */
  readonly module: string | null
}

/**
 * The groups as roles: those of a category that include one another, from the least to the most, are one choice. All others are
 * rights of their own.
 */
export async function listRoles(env: Env): Promise<WireRoles> {
  const { rows } = await sql<GroupRow>`
    select g.id, g.name, g.category, g.comment, x.module from core_group g
    left join sys_xmlid x on x.model = 'core.group' and x.res_id = g.id order by g.category, g.id`.execute(env.tx)
  const apps: WireRoleApp[] = []
  const extras: WireRole[] = []
  for (const category of new Set(rows.map((group) => group.category))) {
    const groups = rows.filter((group) => group.category === category)
    const chain = category === null ? [] : chainOf(env, groups)
    extras.push(...groups.filter((group) => !chain.includes(group)).map((group) => roleOf(env, group)))
    const [first] = chain
    if (first === undefined || category === null) continue
    apps.push({
      module: first.module ?? '',
      name: first.module === 'base' ? env.t('General') : textOf(env, first, category),
      roles: chain.map((group) => roleOf(env, group)),
    })
  }
  const order = new Map(env.registry.addons.map((name, index) => [name, index]))
  apps.sort((a, b) => (order.get(a.module) ?? order.size) - (order.get(b.module) ?? order.size))
  return {
    apps,
    extras,
    includes: Object.fromEntries([...env.access.impliedGroups].map(([id, set]) => [id, [...set]])),
  }
}

/** The longest row of groups in which each includes the one before it. */
function chainOf(env: Env, groups: readonly GroupRow[]): readonly GroupRow[] {
  const includes = (id: number) => env.access.impliedGroups.get(id) ?? new Set([id])
  const ordered = groups.toSorted((a, b) => includes(a.id).size - includes(b.id).size)
  const chain: GroupRow[] = []
  for (const group of ordered) {
    const last = chain.at(-1)
    if (last === undefined || includes(group.id).has(last.id)) chain.push(group)
  }
  return chain
}

/** What stands after a colon in a name explains it, as the comment does. */
const roleOf = (env: Env, group: GroupRow): WireRole => ({
  id: group.id,
  name: textOf(env, group, group.name.split(':')[0]!),
  text: group.comment === null ? '' : textOf(env, group, group.comment),
})

const textOf = ({ t }: Env, { module }: GroupRow, text: string): string => (module === null ? text : t(text))
