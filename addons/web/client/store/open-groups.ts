/** Which groups of a list the user opened or closed, kept in the given storage. */
export interface OpenGroups {
  /** Undefined if the user has done neither. */
  get(groupBy: readonly string[], path: string): boolean | undefined
  set(groupBy: readonly string[], path: string, isOpen: boolean): void
}

const MAX_GROUPS = 500

export function createOpenGroups(storage: Pick<Storage, 'getItem' | 'setItem'>, key: string): OpenGroups {
  const kept = new Map<string, boolean>(recall(storage, key))
  const nameOf = (groupBy: readonly string[], path: string) => `${groupBy.join()}|${path}`
  return {
    get: (groupBy, path) => kept.get(nameOf(groupBy, path)),
    set(groupBy, path, isOpen) {
      const name = nameOf(groupBy, path)
      kept.delete(name)
      kept.set(name, isOpen)
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_GROUPS) break
        kept.delete(oldest)
      }
      try {
        storage.setItem(key, JSON.stringify([...kept]))
      } catch {
        // Without storage the choice lasts as long as the view.
      }
    },
  }
}

function recall(storage: Pick<Storage, 'getItem'>, key: string): readonly [string, boolean][] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isFold) : []
  } catch {
    return []
  }
}

const isFold = (value: unknown): value is [string, boolean] =>
  Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'boolean'
