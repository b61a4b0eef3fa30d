/** What controls still ask the server about the values entered: the record with a typed name, the price of a line. A save waits for it, since the answers belong to what is saved. */
const waiting = new Set<Promise<unknown>>()

export function addLookup(work: Promise<unknown>): void {
  waiting.add(work)
  void work.finally(() => waiting.delete(work))
}

export async function lookupsDone(): Promise<void> {
  while (waiting.size > 0) await Promise.all(waiting)
}
