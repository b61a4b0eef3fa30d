type Names = Map<string, Set<number>>

/**
 * Records whose write is under way in a transaction. While it changes their lines one command after the other, their checks wait:
 * an order whose lines are all replaced has none for a moment.
 */
export class OpenWrites {
  private readonly byModel = new Map<string, Map<number, Names>>()

  /** Runs `work` as a part of writing these records, and returns the checks of them that waited: name → ids. */
  async during(model: string, ids: readonly number[], work: () => Promise<void>): Promise<Names> {
    const waiting: Names = new Map()
    const open = this.byModel.get(model) ?? new Map<number, Names>()
    this.byModel.set(model, open)
    // What an outer write of the same record has opened, that one checks.
    const opened = ids.filter((id) => !open.has(id))
    for (const id of opened) open.set(id, waiting)
    try {
      await work()
    } finally {
      for (const id of opened) open.delete(id)
    }
    return waiting
  }

  /** The records that can be checked now; the checks of the others wait. */
  settled(model: string, ids: readonly number[], names: readonly string[]): readonly number[] {
    const open = this.byModel.get(model)
    if (open === undefined || open.size === 0) return ids
    return ids.filter((id) => {
      const waiting = open.get(id)
      if (waiting) for (const name of names) waiting.set(name, (waiting.get(name) ?? new Set()).add(id))
      return waiting === undefined
    })
  }
}
