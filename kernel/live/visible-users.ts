import { mayUseModel } from '../access/acl.ts'
import type { Env } from '../env.ts'
import { type ReadableIds, readableIds } from './readable-ids.ts'

/** Which of some users each reader may see, for their names beside what they do. All readers are in the same groups. */
export async function visibleUsers(readers: readonly Env[], ids: readonly number[]): Promise<ReadableIds> {
  const [first] = readers
  const model = first?.registry.model('core.user')
  if (first === undefined || model === undefined || !mayUseModel(first, model.name, 'read')) return new Map()
  return readableIds(readers, model, [...new Set(ids)])
}

export function isVisible(visible: ReadableIds, reader: Env, userId: number): boolean {
  const ids = visible.get(reader)
  return ids === null || (ids?.has(userId) ?? false)
}
