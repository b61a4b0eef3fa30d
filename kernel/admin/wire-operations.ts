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

/** The mail server that is set. Its password never leaves the server. */
export interface WireMailServer {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  readonly user: string
  readonly hasPassword: boolean
  readonly from: string
}

export interface WireMail {
  /** locked: the stored password cannot be decrypted, so that nothing is sent. */
  readonly state: 'none' | 'ready' | 'locked'
  readonly server: WireMailServer | null
  /** Where each setting of the process comes from; null: administrators set them here. */
  readonly places: Readonly<Record<string, string>> | null
  /** Where a test goes; null: the user has no address. */
  readonly testAddress: string | null
}

/** The body of `POST /web/settings/mail`, and of a test with settings that are not saved. */
export interface WireMailInput {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  readonly user: string
  /** Null: use the stored password of this account. */
  readonly password: string | null
  readonly from: string
}

/** The answer of `POST /web/settings/mail/test`. */
export interface WireMailTest {
  readonly ok: boolean
  /** What has to work, in this order. */
  readonly steps: readonly WireMailStep[]
  /** What is wrong, and what to do. */
  readonly text: string
  /** What the mail server said about it, in its own words. */
  readonly answer: string | null
}

export interface WireMailStep {
  readonly label: string
  /** without: it went on, but not encrypted. */
  readonly state: 'done' | 'failed' | 'open' | 'without'
}

export interface WireQueuedMail {
  readonly id: number
  readonly to: string
  readonly subject: string
  readonly state: 'queued' | 'sending' | 'sent' | 'failed' | 'unknown'
  readonly attempts: number
  readonly error: string | null
  /** The technical text of the error, if `error` is a sentence for users. */
  readonly detail: string | null
  /** The time when it was sent, will be tried again, or was given up. */
  readonly at: string
}

/** The answer of `GET /web/settings/operations`. */
export interface WireOperations {
  readonly jobs: readonly WireJob[]
  readonly mail: WireMail
  readonly mails: readonly WireQueuedMail[]
  /** Mails that wait or were given up. */
  readonly open: number
}
