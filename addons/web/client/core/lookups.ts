/** Pending requests of controls about entered values: the record with a typed name, the price of a line. A save waits for them, since their answers are part of what is saved. */
const waiting = new Set<Promise<unknown>>()

export function addLookup(work: Promise<unknown>): void {
  waiting.add(work)
  void work.finally(() => waiting.delete(work))
}

export async function lookupsDone(): Promise<void> {
  while (waiting.size > 0) await Promise.all(waiting)
}
