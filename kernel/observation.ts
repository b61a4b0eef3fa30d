import type { ErrorCode } from './errors.ts'

/** Everything that is logged or counted, as one closed union: a host decides what becomes a log line or a metric. */
export type Observation =
  | {
      readonly kind: 'request'
      readonly requestId: string
      readonly method: string
      readonly path: string
      readonly status: number
      readonly ms: number
    }
  | {
      readonly kind: 'rpc'
      readonly requestId: string
      readonly model: string
      readonly method: string
      readonly code: ErrorCode | 'OK'
      readonly ms: number
    }
  | { readonly kind: 'failure'; readonly requestId: string; readonly error: unknown }
  | { readonly kind: 'retry'; readonly reason: string; readonly attempt: number }
  | { readonly kind: 'registry'; readonly epoch: number; readonly modules: readonly string[] }
  | { readonly kind: 'warning'; readonly text: string }

export type Observe = (observation: Observation) => void
