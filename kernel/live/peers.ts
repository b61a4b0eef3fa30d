import type { Env } from '../env.ts'

/** Readers in the same groups, for whom access lines, hidden fields and the list of rules are the same. */
export type Peers = readonly [Env, ...Env[]]

export function groupPeers(readers: readonly Env[]): readonly Peers[] {
  const groups = new Map<string, [Env, ...Env[]]>()
  for (const reader of readers) {
    const key = [...reader.user.groupIds].sort((a, b) => a - b).join()
    const group = groups.get(key)
    if (group) group.push(reader)
    else groups.set(key, [reader])
  }
  return [...groups.values()]
}
