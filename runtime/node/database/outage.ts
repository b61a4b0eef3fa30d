import { AppError } from '../../../kernel/errors.ts'
import type { Observation, Observe } from '../../../kernel/observation.ts'
import { translatePgError } from '../../../kernel/sql/pg-error.ts'

export interface OutageOptions {
  /** Runs any statement; rejects if the database is away. */
  readonly probe: () => Promise<unknown>
  readonly log: Observe
  /** Monotonic clock in milliseconds. */
  readonly clock: () => number
}

export interface Outages {
  /** Passes reports on to the log, except those that an outage causes: only its beginning and its end are logged. */
  readonly observe: Observe
  /** A connection failed, or something else that may be the beginning of an outage; `report` is logged if there is none. */
  suspect(report: Observation): void
  /** A connection failed while it was not in use. */
  lost(error: Error): void
  close(): void
}

const PAUSE_MS = 1_000
/** Wait before a probe: a database that shuts down ends its connections one by one, and that of the probe may be the last. */
const SETTLE_MS = 250
/** Reports that wait for the outcome of a probe; more are only counted. */
const MAX_HELD = 1_000

/**
 * Logs an outage of the database in two lines: at its beginning, and at its end with its length and the number of refused requests. A
 * report that an outage may have caused is held until a probe has shown whether there is one.
 */
export function watchOutages({ probe, log, clock }: OutageOptions): Outages {
  let away: { readonly since: number; refused: number } | undefined
  const held: Observation[] = []
  let lost: { count: number; readonly why: string } | undefined
  let isProbing = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  const begin = (error: unknown): void => {
    away = { since: clock(), refused: 0 }
    log({ kind: 'warning', text: `The database is away: ${whyOf(error)} Requests get 503 until it is back.` })
  }

  const end = ({ since, refused }: NonNullable<typeof away>): void => {
    away = undefined
    const seconds = Math.max(1, Math.round((clock() - since) / 1_000))
    log({ kind: 'warning', text: `The database is back after ${seconds} s. Requests refused: ${refused}.` })
  }

  /** Probes twice, since the connection of the probe may itself be lost; the second attempt opens a new one. */
  const ask = () => probe().catch(probe)

  const look = async (): Promise<void> => {
    if (isProbing) return
    isProbing = true
    const error = await (away ? probe() : ask().then(settle).then(ask)).then(
      () => undefined,
      (failed: unknown) => failed ?? new Error('no reason'),
    )
    isProbing = false
    if (isClosed) return
    if (error === undefined) {
      if (away) end(away)
      release()
      return
    }
    if (!away) begin(error)
    lost = undefined
    for (const report of held.splice(0)) count(report)
    clearTimeout(timer)
    timer = setTimeout(look, PAUSE_MS).unref()
  }

  /** Logs held reports when there is no outage. If connections failed together they get one line, and their other consequences none. */
  const release = (): void => {
    const reports = held.splice(0).filter((report) => lost === undefined || isOfRequest(report))
    if (lost) log({ kind: 'warning', text: `${connections(lost.count)} failed: ${lost.why}` })
    lost = undefined
    for (const report of reports) log(report)
  }

  const count = ({ kind }: Observation): void => {
    if (away && kind === 'request') away.refused++
  }

  const suspect = (report: Observation): void => {
    if (away) count(report)
    else {
      if (held.length < MAX_HELD) held.push(report)
      void look()
    }
  }

  return {
    suspect,
    lost: ({ message }) => {
      if (away) return
      lost ??= { count: 0, why: message }
      lost.count++
      void look()
    },
    observe: (observation) => {
      if (isOfOutage(observation, isProbing || away !== undefined)) suspect(observation)
      else log(observation)
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
      release()
    },
  }
}

/** Whether an outage may have caused a report: no connection, a full pool, a slow statement, or a request that failed for such a reason. */
function isOfOutage(observation: Observation, isSuspected: boolean): boolean {
  if (observation.kind === 'request') return isSuspected && observation.code === 'UNAVAILABLE'
  if (observation.kind !== 'failure') return false
  const known = translatePgError(observation.error)
  return known instanceof AppError && known.code === 'UNAVAILABLE'
}

const settle = (): Promise<void> => new Promise((done) => void setTimeout(done, SETTLE_MS).unref())

const connections = (count: number): string => (count === 1 ? 'A database connection' : `${count} database connections`)

const isOfRequest = (report: Observation): boolean =>
  report.kind === 'request' || (report.kind === 'failure' && report.route !== undefined)

/** The cause of an error, which is for operators; its message is for callers. */
export function whyOf(error: unknown): string {
  const cause = error instanceof AppError && error.cause !== undefined ? error.cause : error
  const text = cause instanceof Error ? cause.message : String(cause)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
