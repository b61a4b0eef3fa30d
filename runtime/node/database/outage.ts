import { AppError } from '../../../kernel/errors.ts'
import type { Observation, Observe } from '../../../kernel/observation.ts'
import { translatePgError } from '../../../kernel/sql/pg-error.ts'

export interface OutageOptions {
  /** Asks the database anything; fails when it is away. */
  readonly probe: () => Promise<unknown>
  readonly log: Observe
  /** Milliseconds since some moment in the past, which never go back. */
  readonly clock: () => number
}

export interface Outages {
  /** Hands reports on to the log, except those that an outage causes: its beginning and its end are told once each. */
  readonly observe: Observe
  /** A connection failed, or something else that may be the beginning of an outage; `report` is logged if it is not. */
  suspect(report: Observation): void
  /** A connection failed while nobody used it. */
  lost(error: Error): void
  close(): void
}

const PAUSE_MS = 1_000
/** A database that goes ends its connections one after another, and the probe's may be the last of them. */
const SETTLE_MS = 250
/** Reports that wait for the outcome of a probe; more are only counted. */
const MAX_HELD = 1_000

/**
 * Tells an absent database in two lines: when it went, and when it is back, for how long it was away and how many requests were
 * refused. A report that could come from an outage waits until a probe has shown whether there is one.
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

  /** The probe's own connection may be one of those that were lost; the second try makes a new one. */
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

  /** Not of an outage, but of a busy pool, or of connections that failed together: one line for them, and none for what the process itself then met. */
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

/** An outage shows in many ways: no connection, a full pool, statements that take too long. A request follows its failure. */
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

/** The cause is for operators; the message is for callers. */
export function whyOf(error: unknown): string {
  const cause = error instanceof AppError && error.cause !== undefined ? error.cause : error
  const text = cause instanceof Error ? cause.message : String(cause)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
