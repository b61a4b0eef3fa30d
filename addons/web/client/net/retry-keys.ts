/** A change that was sent, and the records it is about; none where it makes one. */
export interface SentChange {
  readonly path: string
  readonly model: string
  readonly body: string
  readonly ids: readonly number[]
}

export type RetryKeys = ReturnType<typeof createRetryKeys>

/** How long sending the same again counts as a retry; later somebody means it anew. */
const RETRY_MS = 60_000

/**
 * Idempotency keys of changes without an answer: sending the same again is a retry and has the same key. Not after another change of
 * one of its records was answered: then the same words ask for something new.
 */
export function createRetryKeys() {
  const kept = new Map<string, SentChange & { readonly key: string; readonly until: number }>()
  const nameOf = ({ path, body }: SentChange) => path + body
  return {
    take(sent: SentChange): string | undefined {
      const found = kept.get(nameOf(sent))
      kept.delete(nameOf(sent))
      return found && found.until > performance.now() ? found.key : undefined
    },
    keep: (sent: SentChange, key: string): unknown =>
      kept.set(nameOf(sent), { ...sent, key, until: performance.now() + RETRY_MS }),
    answered({ model, ids }: SentChange): void {
      for (const [name, other] of kept)
        if (other.model === model && other.ids.some((id) => ids.includes(id))) kept.delete(name)
    },
  }
}
