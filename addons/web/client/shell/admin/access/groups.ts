import type { Operation } from '../../../../../../kernel/access/tables.ts'
import type { WireAccessMatrix, WireRight } from '../../../../../../kernel/admin/wire-access.ts'
import { t } from '../../../core/i18n.ts'

export const OPERATIONS: readonly Operation[] = ['read', 'write', 'create', 'unlink']

export const operationLabel = (operation: Operation): string =>
  ({ read: t('Read'), write: t('Change'), create: t('Create'), unlink: t('Delete') })[operation]

/** Every group by id, named as its app and role. */
export const groupNames = ({ roles }: WireAccessMatrix): ReadonlyMap<number, string> =>
  new Map([
    ...roles.apps.flatMap((app) => app.roles.map(({ id, name }) => [id, `${app.name}, ${name}`] as const)),
    ...roles.extras.map(({ id, name }) => [id, name] as const),
  ])

/** The groups of the subject, with all that those include. */
export const heldGroups = ({ directIds, roles }: WireAccessMatrix): ReadonlySet<number> =>
  new Set(directIds.flatMap((id) => [id, ...(roles.includes[id] ?? [])]))

/** Where a right comes from: groups of the subject itself, and groups that those include. */
export function sourcesOf(
  matrix: WireAccessMatrix,
  rights: readonly WireRight[],
): { readonly own: readonly string[]; readonly included: readonly string[] } {
  const names = groupNames(matrix)
  const ids = [...new Set(rights.flatMap(({ groupIds }) => groupIds))]
  const nameOf = (id: number | null) => (id === null ? t('Everybody') : (names.get(id) ?? ''))
  const isOwn = (id: number | null) => id !== null && matrix.directIds.includes(id)
  return { own: ids.filter(isOwn).map(nameOf), included: ids.filter((id) => !isOwn(id)).map(nameOf) }
}
