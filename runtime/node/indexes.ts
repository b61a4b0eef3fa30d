import { buildLaterIndexes } from '../../kernel/schema/later-indexes.ts'
import type { ListedFields } from '../../kernel/schema/spec.ts'
import { planSync } from '../../kernel/schema/sync.ts'
import type { Services } from '../../kernel/services.ts'
import type { Db } from '../../kernel/sql/database.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { listedFields } from '../../kernel/view/listed-fields.ts'
import { connectDatabase } from '../postgres/database.ts'
import type { RegistryHolder } from '../registry-holder.ts'

export interface IndexHost {
  readonly services: Services
  readonly holder: RegistryHolder
  /** DSN of the server itself and not of a pooler, since a whole session is needed. */
  readonly dsn: string
  readonly system: Db
}

/** An index of a very large table takes hours. */
const BUILD_MS = 24 * 3_600_000

/** Builds the indexes that large tables lack; returns their names. If `signal` stops it, the rest is built the next time. */
export async function buildIndexes({ holder, dsn, system }: IndexHost, signal?: AbortSignal): Promise<string[]> {
  const { registry, views } = await holder.latest()
  const tables = await views()
  const listed: ListedFields = (model) => listedFields(tables, model)
  if ((await planSync(system, registry, listed)).later.length === 0) return []
  const { db, close } = connectDatabase({
    dsn,
    maxConnections: 1,
    applicationName: `modulus indexes ${process.pid}`,
    statementTimeoutMs: BUILD_MS,
  })
  const cut = () => void close(0)
  signal?.addEventListener('abort', cut)
  try {
    // A concurrent build waits for all older transactions.
    await sql`set lock_timeout = 0`.execute(db)
    return await buildLaterIndexes(db, registry, listed)
  } finally {
    signal?.removeEventListener('abort', cut)
    await close()
  }
}

export interface IndexLoop {
  /** Modules have changed. */
  wake(): void
  stop(): Promise<void>
}

/** The calls that have waited for the start come first: the look compares the whole schema. */
const FIRST_LOOK_MS = 2_000
/** Tables may become large without a change of modules. */
const LOOK_AGAIN_MS = 24 * 3_600_000

/** Builds indexes after the start, after each change of modules and once a day, in one process at a time. `built` is called with the name of each. */
export function openIndexes(host: IndexHost, built: (name: string) => void): IndexLoop {
  const stopped = new AbortController()
  let isAskedAgain = false
  let running: Promise<void> | null = null

  const work = async () => {
    do {
      isAskedAgain = false
      try {
        for (const name of await buildIndexes(host, stopped.signal)) built(name)
      } catch (error) {
        if (stopped.signal.aborted) return
        const reason = error instanceof Error ? error.message : String(error)
        host.services.observe({
          kind: 'warning',
          text: `Indexes could not be built, and are at the next start: ${reason}`,
        })
      }
    } while (isAskedAgain && !stopped.signal.aborted)
  }

  const wake = () => {
    if (stopped.signal.aborted) return
    if (running) isAskedAgain = true
    else
      running = work().finally(() => {
        running = null
      })
  }

  const first = setTimeout(wake, FIRST_LOOK_MS)
  const daily = setInterval(wake, LOOK_AGAIN_MS)
  return {
    wake,
    async stop() {
      stopped.abort()
      clearTimeout(first)
      clearInterval(daily)
      await running
    },
  }
}
