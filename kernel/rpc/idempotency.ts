import { sha256 } from '@noble/hashes/sha2.js'
import { equalBytes } from '../bytes.ts'
import type { Env } from '../env.ts'
import { AppError, badRequest, conflict } from '../errors.ts'
import { VISIBLE_ASCII } from '../http/request-id.ts'
import { type Answer, jsonText } from '../http/respond.ts'
import { LIMITS } from '../limits.ts'
import { secondsFromNow } from '../sql/moment.ts'

/** An answer is repeated for a day; after that its key is free again. */
const KEPT_SECONDS = 86_400

/** The `Idempotency-Key` of a request; null when there is none. */
export function idempotencyKey(headers: Headers): string | null {
  const key = headers.get('idempotency-key')
  if (key === null) return null
  if (key.length <= LIMITS.idempotencyKeyChars && VISIBLE_ASCII.test(key)) return key
  throw badRequest(
    'header_invalid',
    `Idempotency-Key must be 1 to ${LIMITS.idempotencyKeyChars} visible ASCII characters.`,
  )
}

/**
 * Runs a call once per key: the same body under the same key is answered with the first answer, another body is a CONFLICT.
 * Key, effect and answer are one transaction, so a concurrent duplicate waits for the first call to end. A failed call stores
 * nothing and can be retried. Keys are deleted after a day. Without a key it just runs.
 */
export async function once(
  env: Env,
  key: string | null,
  body: Uint8Array,
  run: () => Promise<Outcome>,
): Promise<Answer | AppError> {
  if (key === null) return answerOf(await run())
  const bodyHash = sha256(body)
  const first = await claim(env, key, bodyHash)
  if (first === null) {
    const outcome = await run()
    if (typeof outcome === 'string') await keep(env, key, outcome)
    else await release(env, key)
    return answerOf(outcome)
  }
  if (!equalBytes(first.body_hash, bodyHash))
    throw conflict('idempotency_key_reused', 'This Idempotency-Key was used for another call.')
  env.outbox.repeatsAnother = true
  return jsonText(first.response, { 'idempotent-replayed': 'true' })
}

/** The outcome of a call: the text of a success, an answer that nothing was done, or an error. */
export type Outcome = string | { readonly nothingDone: string } | AppError

function answerOf(outcome: Outcome): Answer | AppError {
  if (outcome instanceof AppError) return outcome
  return jsonText(typeof outcome === 'string' ? outcome : outcome.nothingDone)
}

interface FirstCall {
  readonly body_hash: Uint8Array
  readonly response: string
}

/**
 * Null when the key was free and is now claimed. Waits for a running transaction that has claimed it. A claimed row is locked, which is a
 * write: the commit of a repeated call waits for a synchronous replica, which the one of the first call may not have done.
 */
async function claim(env: Env, key: string, bodyHash: Uint8Array): Promise<FirstCall | null> {
  const claimed = await env.tx
    .insertInto('sys_idempotency')
    .values({ user_id: env.user.id, key, body_hash: bodyHash })
    .onConflict((conflicting) =>
      conflicting
        .columns(['user_id', 'key'])
        .doUpdateSet((eb) => ({
          body_hash: eb.ref('excluded.body_hash'),
          status: null,
          response: null,
          created_at: eb.ref('excluded.created_at'),
        }))
        .where('sys_idempotency.created_at', '<', (eb) => secondsFromNow(eb, -KEPT_SECONDS)),
    )
    .returning('user_id')
    .executeTakeFirst()
  if (claimed !== undefined) return null
  return env.tx
    .selectFrom('sys_idempotency')
    .select(['body_hash', 'response'])
    .where('user_id', '=', env.user.id)
    .where('key', '=', key)
    .$narrowType<{ response: string }>()
    .executeTakeFirstOrThrow()
}

/** A refusal whose effects are kept: the call may be sent again, so its key is free. */
async function release(env: Env, key: string): Promise<void> {
  await env.tx.deleteFrom('sys_idempotency').where('user_id', '=', env.user.id).where('key', '=', key).execute()
}

async function keep(env: Env, key: string, response: string): Promise<void> {
  await env.tx
    .updateTable('sys_idempotency')
    .set({ status: 200, response })
    .where('user_id', '=', env.user.id)
    .where('key', '=', key)
    .execute()
}
