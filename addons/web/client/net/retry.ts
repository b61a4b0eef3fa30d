import type { ReadonlySignal } from '@preact/signals'
import { CallError, type ClientErrorCode } from './errors.ts'
import type { Retry } from './rpc.ts'

/** What a patient call waits for before it is sent again after the transport gave up; never: it fails, and the user is told. */
type RetryOn = 'connection' | 'moment' | 'never'

/** By the code of the error. After any other code the call fails, so that every call either waits or fails visibly. */
const BY_CODE: Readonly<Partial<Record<ClientErrorCode, RetryOn>>> = {
  /** Connection refused, reset, or broken off within the answer. */
  OFFLINE: 'connection',
  /** Database away, disk full, too many requests, outcome unknown; a proxy without a service behind it. */
  UNAVAILABLE: 'moment',
  RATE_LIMITED: 'moment',
}

/** Reasons of the server after which the same call would fail in the same way. */
const BY_REASON: Readonly<Record<string, RetryOn>> = { timed_out: 'never', host_lacks: 'never' }

const MOMENT_MS = 2_000
const MAX_PAUSE_MS = 5_000
/** Not all clients come back in the same instant. */
const SPREAD_MS = 250

export const retryOn = (error: unknown): RetryOn =>
  error instanceof CallError ? (BY_REASON[String(error.details['reason'])] ?? BY_CODE[error.code] ?? 'never') : 'never'

/** Waits as long as the server is away or busy. Rejects when `signal` ends it. */
export const createRetry =
  (online: ReadonlySignal<boolean>): Retry =>
  async (run, signal) => {
    for (;;)
      try {
        return await run()
      } catch (error) {
        const on = retryOn(error)
        if (on === 'never') throw error
        const ms = error instanceof CallError ? (error.retryAfter ?? MOMENT_MS) : MOMENT_MS
        await (on === 'moment' ? elapsed(Math.min(ms, MAX_PAUSE_MS), signal) : reached(online, signal))
      }
  }

/** Each starts what it waits for and returns a function that stops it. */
type Start = (done: () => void) => () => void

const until = (start: Start, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const end = (settle: () => void) => () => {
      signal?.removeEventListener('abort', abort)
      stop()
      settle()
    }
    const abort = end(() => reject(signal?.reason))
    signal?.addEventListener('abort', abort)
    const stop = start(end(resolve))
  })

const elapsed = (ms: number, signal?: AbortSignal): Promise<void> =>
  until((done) => {
    const timer = setTimeout(done, ms + Math.random() * SPREAD_MS)
    return () => clearTimeout(timer)
  }, signal)

const reached = async (online: ReadonlySignal<boolean>, signal?: AbortSignal): Promise<void> => {
  if (!online.peek()) await until((done) => online.subscribe((isOnline) => isOnline && done()), signal)
  await elapsed(0, signal)
}
