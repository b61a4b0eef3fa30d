import type { ErrorCode } from './errors.ts'

/**
 * Status under which a request is reported whose caller left before the answer was ready. Nobody receives it; 499 is what proxies
 * use for the same.
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
    }
  | {
      readonly kind: 'rpc'
      readonly requestId: string
      readonly model: string
      readonly method: string
      /** CALLER_LEFT: nobody waited for the outcome any more. */
      readonly code: ErrorCode | 'OK' | 'CALLER_LEFT'
      readonly ms: number
    }
  | { readonly kind: 'failure'; readonly requestId: string; readonly error: unknown }
  | { readonly kind: 'retry'; readonly requestId: string | null; readonly reason: string; readonly attempt: number }
  | { readonly kind: 'registry'; readonly epoch: number; readonly modules: readonly string[] }
  | { readonly kind: 'warning'; readonly text: string }
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

export type Observe = (observation: Observation) => void
