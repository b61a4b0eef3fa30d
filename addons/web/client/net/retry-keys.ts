/** A change that was sent, and the records it is about; none where it makes one. */
export interface SentChange {
  readonly path: string
  readonly model: string
  readonly body: string
  readonly ids: readonly number[]
}

export type RetryKeys = ReturnType<typeof createRetryKeys>

/** How long sending the same change again counts as a retry; later it is a new change. */
const RETRY_MS = 60_000

/**
 * Idempotency keys of changes without an answer: sending the same change again is a retry with the same key, unless another change of
 * one of its records was answered in between: then it is a new change.
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
