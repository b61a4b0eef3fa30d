import type { ErrorCode } from './errors.ts'

/**
 * Status in reports of a request whose caller left before the answer was ready. It is never sent; proxies use 499 for the same case.
 */
export const CALLER_LEFT = 499

/** Everything that is logged or counted, as one closed union: a host decides what becomes a log line or a metric. */
export type Observation =
  | {
      readonly kind: 'request'
      readonly requestId: string
      readonly method: string
      readonly path: string
      readonly status: number
      readonly ms: number
      /** The user who sent the request, if known. */
      readonly userId: number | null
      /** Why it was refused. */
      readonly code: ErrorCode | null
      /** How long its parts took (`trace.ts`), if that is measured. */
      readonly timing?: string
    }
  | {
      readonly kind: 'rpc'
      readonly requestId: string
      readonly model: string
      readonly method: string
      /** CALLER_LEFT: the caller left before the outcome. */
      readonly code: ErrorCode | 'OK' | 'CALLER_LEFT'
      readonly ms: number
    }
  | {
      readonly kind: 'failure'
      readonly requestId: string
      readonly error: unknown
      /** Method and path of the request, where it comes from one. */
      readonly route?: string
    }
  | { readonly kind: 'retry'; readonly requestId: string | null; readonly reason: string; readonly attempt: number }
  | { readonly kind: 'registry'; readonly epoch: number; readonly modules: readonly string[] }
  | { readonly kind: 'warning'; readonly text: string }
  | {
      /** A run of a scheduled job has ended. */
      readonly kind: 'job'
      readonly requestId: string
      readonly id: number
      readonly name: string
      /** lost: it was given up, or another process has taken it over. */
      readonly outcome: 'done' | 'failed' | 'lost'
      readonly ms: number
      readonly error: string | null
    }
  | {
      readonly kind: 'replica'
      /**
       * Which server answered a read that may go to the replica: the replica (answered), or the primary, because the replica did not have
       * what the caller must see (behind), was not used because of an earlier failure (away) or failed just then (failed).
       */
      readonly outcome: 'answered' | 'behind' | 'away' | 'failed'
    }
  | {
      readonly kind: 'mail'
      readonly requestId: string
      readonly id: number
      /** deferred: it will be tried again. unknown: it may have been sent, and must not be sent twice. */
      readonly outcome: 'queued' | 'sent' | 'deferred' | 'failed' | 'unknown'
      readonly attempts: number
      /** The mail server's answer, or why it could not be reached. */
      readonly error: string | null
    }
  | {
      /** Committed events were sent to the sockets of this process. */
      readonly kind: 'bus'
      readonly messages: number
      /** From the writing of the oldest of the events to its sending. */
      readonly ms: number
    }
  | {
      /** The number of open sockets has changed. */
      readonly kind: 'sockets'
      readonly open: number
    }

export type Observe = (observation: Observation) => void
