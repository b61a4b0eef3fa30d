/** Lookups that controls are still running for a typed text, such as the record with this name. A save waits for them, since their results belong to what is saved. */
const waiting = new Set<Promise<unknown>>()

export function addLookup(work: Promise<unknown>): void {
  waiting.add(work)
  void work.finally(() => waiting.delete(work))
}

export async function lookupsDone(): Promise<void> {
  while (waiting.size > 0) await Promise.all(waiting)
}
