/** What the page of operations gets. Types only, so that the client may import them. */

export interface WireJobRun {
  readonly startedAt: string
  readonly ms: number | null
  readonly outcome: 'done' | 'failed' | 'lost' | null
}

export interface WireJob {
  readonly id: number
  readonly name: string
  readonly every: number
  readonly unit: 'minutes' | 'hours' | 'days' | 'weeks' | 'months'
  readonly active: boolean
  readonly isRunning: boolean
  /** Failures in a row; 0: healthy. */
  readonly failures: number
  readonly lastRunAt: string | null
  readonly nextRunAt: string
  /** Why the last run failed; null if it did not. */
  readonly error: string | null
  /** The last ones, the oldest first. */
  readonly runs: readonly WireJobRun[]
}

/** The mail server as the configuration file names it; its password never leaves the process. */
export interface WireMailServer {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  readonly user: string
  readonly from: string
}

export interface WireQueuedMail {
  readonly id: number
  readonly to: string
  readonly subject: string
  readonly state: 'queued' | 'sending' | 'sent' | 'failed' | 'unknown'
  readonly attempts: number
  readonly error: string | null
  /** When it was sent, is tried again, or was given up. */
  readonly at: string
}

/** The answer of `GET /web/settings/operations`. */
export interface WireOperations {
  readonly jobs: readonly WireJob[]
  /** Null: the service knows no mail server. */
  readonly server: WireMailServer | null
  /** Where a test goes; null: the user has no address. */
  readonly testAddress: string | null
  readonly mails: readonly WireQueuedMail[]
  /** Mails that wait or were given up. */
  readonly open: number
}
