type Names = Map<string, Set<number>>

/**
 * Records that a transaction is writing. Their checks wait until the write has applied all commands of their lines: an order
 * whose lines are all replaced has none in between.
 */
export class OpenWrites {
  private readonly byModel = new Map<string, Map<number, Names>>()

  /** Runs `work` as a part of writing these records, and returns their checks that waited: name → ids. */
  async during(model: string, ids: readonly number[], work: () => Promise<void>): Promise<Names> {
    const waiting: Names = new Map()
    const open = this.byModel.get(model) ?? new Map<number, Names>()
    this.byModel.set(model, open)
    // A record that an outer write has opened is checked at the end of that write.
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
