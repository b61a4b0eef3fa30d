import { mayUseModel } from '../access/acl.ts'
import type { Env } from '../env.ts'
import { groupPeers } from './peers.ts'
import { type ReadableIds, readableIdsByEnv } from './readable-ids.ts'

/** Which of some users each reader may see, to decide whether events may name them. */
export async function visibleUsers(readers: readonly Env[], ids: readonly number[]): Promise<ReadableIds> {
  const distinct = [...new Set(ids)]
  const visible: [Env, ReadonlySet<number> | null][] = []
  for (const peers of groupPeers(readers)) {
    const model = peers[0].registry.model('core.user')
    if (model === undefined || !mayUseModel(peers[0], model.name, 'read')) continue
    visible.push(...(await readableIdsByEnv(peers, model, distinct)))
  }
  return new Map(visible)
}

export function isVisible(visible: ReadableIds, reader: Env, userId: number): boolean {
  const ids = visible.get(reader)
  return ids === null || (ids?.has(userId) ?? false)
}
