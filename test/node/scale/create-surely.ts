import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, ModulusError } from '../../../kernel/client/client.ts'

/** A record that the service has acknowledged. */
export interface Created {
  readonly record: string
  readonly name: string
  /** When the answer came. */
  readonly at: number
  readonly tries: number
}

/** How long a call is repeated. */
const PATIENCE_MS = 120_000
/** What a service, or a proxy before it, says when a call may be sent again. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Whether a call with an idempotency key is to be sent again, and after how many milliseconds; null if a retry is useless. */
export function repeatAfter(error: unknown): number | null {
  if (!(error instanceof ModulusError)) return 1_000
  if (!PASSING.has(error.status)) return null
  return (error.retryAfter ?? 1) * 1_000
}

/** Creates a record as the documentation tells integrations to: the same key and body until there is an answer. */
export async function createSurely(client: Client, name: string): Promise<Created> {
  const idempotencyKey = randomUUID()
  const deadline = performance.now() + PATIENCE_MS
  for (let tries = 1; ; tries++) {
    try {
      const id = await client.rpc('core.partner', 'create', [{ name }], {}, { idempotencyKey })
      return { record: `core.partner/${id}`, name, at: performance.now(), tries }
    } catch (error) {
      const ms = repeatAfter(error)
      if (ms === null || performance.now() + ms > deadline) throw error
      await sleep(ms)
    }
  }
}
