import { bytesToHex } from '@noble/hashes/utils.js'
import { CompiledQuery } from 'kysely'
import { AppError } from '../errors.ts'
import type { Ahead, Services } from '../services.ts'
import type { Db } from '../sql/database.ts'
import type { Sql } from '../sql/sql.ts'
import type { Caller } from './principal.ts'

/** A caller as read from the database by an earlier request, and the statement that read it. */
export interface KnownCaller {
  /** The key under which it is remembered: the stored hash of the API key or session token, in hexadecimal. */
  readonly hash: string
  readonly caller: Caller
  readonly query: ReturnType<Sql['compile']>
  /** The answer of the statement, as text. */
  readonly answer: string
}

/** Enough for callers that send requests all the time. If there are more, all are forgotten, since remembering them saves little. */
const MAX_KNOWN = 1_000

/**
 * Remembers a caller to save later requests a round trip. It grants nothing: every request sends the statement again together with its
 * first one, and goes on only if the answer is the same (`Proof`), so an outdated caller is never used. `hash` is the stored hash of
 * the key or token.
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

/** Call it when a remembered caller is out of date: a caller who is refused from now on must not cost a failed attempt each time. */
export const forgetCaller = ({ state: { known } }: Services, { hash }: KnownCaller): void => void known?.delete(hash)

export const recallCaller = ({ state: { known } }: Services, hash: Uint8Array): KnownCaller | undefined =>
  known?.get(bytesToHex(hash))

/** Thrown if a caller is out of date, before the statements that follow have any effect. */
export class Unproven extends AppError {
  constructor() {
    super('CONFLICT', 'concurrent_change', 'Your rights were changed meanwhile. Try again.', {}, {})
  }
}

/**
 * Verifies a remembered caller in the same round trip as the first statement of the request. One that the request itself has found is
 * proven from the start. Either is verified again when its unit of work is repeated.
 */
export class Proof implements Ahead {
  isProven: boolean
  readonly text: string
  readonly values: readonly unknown[]
  readonly #answer: string

  constructor({ query, answer }: Pick<KnownCaller, 'query' | 'answer'>, isProven = false) {
    this.isProven = isProven
    this.text = query.text
    this.values = query.values
    this.#answer = answer
  }

  /** Asks again, before an attempt that repeats a unit of work. */
  async verify(db: Db): Promise<void> {
    this.take((await db.executeQuery(CompiledQuery.raw(this.text, [...this.values]))).rows)
  }

  readonly take = ([row]: readonly unknown[]): void => {
    this.isProven = answerText(row) === this.#answer
    if (!this.isProven) throw new Unproven()
  }

  get isKnown(): boolean {
    return this.isProven
  }
}

export const answerText = (row: unknown): string => JSON.stringify(row ?? null)
