import pg from 'pg'
import type { Db } from '../../../kernel/sql/database.ts'
import { sql } from '../../../kernel/sql/sql.ts'
import { endClient } from '../../postgres/end-client.ts'

export interface WakeUpOptions {
  readonly dsn: string
  /** The database for notifications. They are sent outside of business transactions, where they would make commits wait for each other. */
  readonly db: Db
  readonly applicationName: string
  /** Events were committed, by this process or by another. */
  readonly onWake: () => void
}

/** Tells all processes on one database that events were committed. It only saves time: a process without notifications reads the log at intervals. */
export interface WakeUp {
  /** This process has committed events. */
  announce(): void
  /** Whether notifications of other processes arrive. */
  readonly isListening: boolean
  stop(): Promise<void>
}

const CHANNEL = 'modulus_outbox'
/** At most one notification is sent in this time; readers then find everything committed until then. */
const NOTIFY_GAP_MS = 50
/** How often a test notification is sent: behind a pooler that gives each transaction another session, LISTEN succeeds but nothing arrives. */
const TEST_MS = 15_000
const ANSWER_MS = 2_000
const RECONNECT_MS = 1_000

/** Wakes every process that follows the log. Failures do not matter, since processes also read the log at intervals. */
export async function notifyFollowers(db: Db): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, '')`.execute(db).catch(() => undefined)
}

export function openWakeUp({ dsn, db, applicationName, onWake }: WakeUpOptions): WakeUp {
  let client: pg.Client | null = null
  let heardAt = Number.NEGATIVE_INFINITY
  let notifiedAt = Number.NEGATIVE_INFINITY
  let pending: NodeJS.Timeout | undefined
  let retry: NodeJS.Timeout | undefined
  let isStopped = false

  const notify = (): void => {
    pending = undefined
    notifiedAt = performance.now()
    void notifyFollowers(db)
  }

  const reconnect = (): void => {
    const gone = client
    client = null
    heardAt = Number.NEGATIVE_INFINITY
    if (gone) void endClient(gone)
    clearTimeout(retry)
    if (isStopped) return
    retry = setTimeout(listen, RECONNECT_MS * (0.75 + Math.random() / 2))
    retry.unref()
  }

  const listen = (): void => {
    const own = new pg.Client({
      connectionString: dsn,
      application_name: `${applicationName} listen`,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    })
    client = own
    const fail = () => {
      if (client === own) reconnect()
    }
    own.on('error', fail)
    own.on('end', fail)
    own.on('notification', () => {
      heardAt = performance.now()
      onWake()
    })
    own
      .connect()
      .then(() => own.query(`listen ${CHANNEL}`))
      .then(() => test(own))
      .catch(fail)
  }

  /** Sends a test over the connections of normal notifications. If it does not arrive, listening ends. */
  const test = async (own: pg.Client): Promise<void> => {
    if (client !== own || isStopped) return
    await own.query('select 1')
    notify()
    retry = setTimeout(() => void test(own).catch(() => client === own && reconnect()), TEST_MS)
    retry.unref()
  }

  listen()
  return {
    announce() {
      onWake()
      if (pending !== undefined) return
      const ms = Math.max(0, notifiedAt + NOTIFY_GAP_MS - performance.now())
      if (ms === 0) return notify()
      pending = setTimeout(notify, ms)
      pending.unref()
    },
    get isListening() {
      return performance.now() - heardAt < TEST_MS + ANSWER_MS
    },
    async stop() {
      isStopped = true
      clearTimeout(pending)
      clearTimeout(retry)
      const own = client
      client = null
      if (own) await endClient(own)
    },
  }
}
