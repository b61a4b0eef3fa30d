import type { WireRole, WireRoleApp, WireRoles } from '../../../../../../kernel/admin/wire-roles.ts'

/** The groups that these ones include, and themselves. */
export const withIncluded = ({ includes }: WireRoles, groupIds: Iterable<number>): ReadonlySet<number> =>
  new Set([...groupIds].flatMap((id) => includes[id] ?? [id]))

/** The role of a user in one app. */
export interface RoleChoice {
  readonly app: WireRoleApp
  /** The highest role the user has; null: none. */
  readonly role: WireRole | null
  /** The lowest role that other roles of the user include, and the app of the including role. */
  readonly floor: { readonly role: WireRole; readonly by: WireRoleApp | null } | null
}

/** The role of a user in each app, from the user's direct groups. */
export function choicesOf(roles: WireRoles, groupIds: readonly number[]): readonly RoleChoice[] {
  const all = withIncluded(roles, groupIds)
  return roles.apps.map((app) => {
    const own = new Set(app.roles.map(({ id }) => id))
    const others = groupIds.filter((id) => !own.has(id))
    const least = highest(app, withIncluded(roles, others))
    return {
      app,
      role: highest(app, all),
      floor: least && { role: least, by: bringerOf(roles, others, least) },
    }
  })
}

const highest = (app: WireRoleApp, groups: ReadonlySet<number>): WireRole | null =>
  app.roles.findLast(({ id }) => groups.has(id)) ?? null

const bringerOf = (roles: WireRoles, groupIds: readonly number[], role: WireRole): WireRoleApp | null => {
  const bringer = groupIds.find((id) => roles.includes[id]?.includes(role.id))
  return roles.apps.find((app) => app.roles.some(({ id }) => id === bringer)) ?? null
}

/** The groups of a user with another role in one app; null: none. Roles that other roles include are not added. */
export function withRole(
  roles: WireRoles,
  groupIds: readonly number[],
  app: WireRoleApp,
  role: WireRole | null,
): readonly number[] {
  const own = new Set(app.roles.map(({ id }) => id))
  const others = groupIds.filter((id) => !own.has(id))
  return role === null || withIncluded(roles, others).has(role.id) ? others : [...others, role.id]
}

/** Commands with the differences between two sets of links, so that other users' changes in the meantime are kept. */
export const linkCommands = (
  before: readonly number[],
  after: readonly number[],
): readonly (readonly [number, number])[] => [
  ...before.filter((id) => !after.includes(id)).map((id) => [3, id] as const),
  ...after.filter((id) => !before.includes(id)).map((id) => [4, id] as const),
]

export const isSameSet = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((id) => b.includes(id))
