import { bytesToHex } from '@noble/hashes/utils.js'
import type { Ahead, Services } from '../services.ts'
import type { Sql } from '../sql/sql.ts'
import type { Caller } from './principal.ts'

/** A caller as the database had it last time, and the statement that said so. */
export interface KnownCaller {
  /** What it is found by. */
  readonly hash: string
  readonly caller: Caller
  readonly query: ReturnType<Sql['compile']>
  /** The answer of the statement, as text. */
  readonly answer: string
}

/** Those who call without end are few; of many others none is worth the memory. */
const MAX_KNOWN = 1_000

/**
 * What is remembered is a guess and nothing is granted by it: every call sends the statement again, ahead of its first one, and counts
 * only if the answer is the same (`Proof`). So it is never out of date. `hash`: what the database keeps of the key or token.
 */
export function rememberCaller(
  { state: { known } }: Services,
  hash: Uint8Array,
  caller: Omit<KnownCaller, 'hash'>,
): void {
  if (known === undefined) return
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(bytesToHex(hash), { ...caller, hash: bytesToHex(hash) })
}

/** After a wrong guess: who is refused from now on must not have a statement run each time. */
export const forgetCaller = ({ state: { known } }: Services, { hash }: KnownCaller): void => void known?.delete(hash)

export const recallCaller = ({ state: { known } }: Services, hash: Uint8Array): KnownCaller | undefined =>
  known?.get(bytesToHex(hash))

/** Thrown where the guess was wrong, before anything came of it. */
export class Unproven extends Error {
  constructor() {
    super('The caller is no longer the one of the last request.')
  }
}

/** Proves a guess in the round trip of the first statement that it leads to. */
export class Proof implements Ahead {
  isProven = false
  readonly text: string
  readonly values: readonly unknown[]
  readonly #answer: string

  constructor({ query, answer }: KnownCaller) {
    this.text = query.text
    this.values = query.values
    this.#answer = answer
  }

  readonly take = ([row]: readonly unknown[]): void => {
    if (answerText(row) !== this.#answer) throw new Unproven()
    this.isProven = true
  }
}

export const answerText = (row: unknown): string => JSON.stringify(row ?? null)
