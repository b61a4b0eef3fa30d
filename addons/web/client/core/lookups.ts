/** What controls still look up for a text one has typed and left. A save waits for it: the answer is part of what is saved. */
const waiting = new Set<Promise<unknown>>()

export function addLookup(work: Promise<unknown>): void {
  waiting.add(work)
  void work.finally(() => waiting.delete(work))
}

export async function lookupsDone(): Promise<void> {
  while (waiting.size > 0) await Promise.all(waiting)
}
