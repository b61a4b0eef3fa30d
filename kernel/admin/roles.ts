import { splitXmlid } from '../data/xmlid.ts'
import { asKernel, type Env } from '../env.ts'
import type { WireRole, WireRoleApp, WireRoles } from './wire-roles.ts'

interface GroupRow {
  readonly id: number
  readonly name: string
  readonly category: string | null
  readonly comment: string | null
}

/**
 * The groups as roles: groups of a category that include one another form one choice, from the least to the most rights. Every other
 * group is a right that is given by itself.
 */
export async function listRoles(env: Env): Promise<WireRoles> {
  const rows = await asKernel(env)
    .model('core.group')
    .searchRead([], ['name', 'category', 'comment'], { order: 'category, id' })
  const moduleOf = new Map([...env.access.groupIdByXmlid].map(([xmlid, id]) => [id, splitXmlid(xmlid).module]))
  const apps: WireRoleApp[] = []
  const extras: WireRole[] = []
  for (const category of new Set(rows.map((group) => group.category))) {
    const groups = rows.filter((group) => group.category === category)
    const chain = category === null ? [] : chainOf(env, groups)
    extras.push(...groups.filter((group) => !chain.includes(group)).map(roleOf))
    const [first] = chain
    if (first === undefined || category === null) continue
    const module = moduleOf.get(first.id) ?? ''
    apps.push({
      module,
      name: category,
      roles: chain.map(roleOf),
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

/** The longest sequence of groups in which each includes the one before it. */
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

/** Splits a name at its colon: what follows explains the role, as the comment of the group does. */
const roleOf = ({ id, name, comment }: GroupRow): WireRole => ({
  id,
  name: name.split(':')[0]!,
  text: comment ?? '',
})
