import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { CompactEncrypt, compactDecrypt } from 'jose'
import { z } from 'zod'
import { dropCookie, readCookie, setCookie } from '../http/cookie.ts'
import { isPrefetch } from '../http/wants.ts'
import type { Services } from '../services.ts'
import type { Db } from '../sql/database.ts'
import { secondsFromNow } from '../sql/moment.ts'
import type { SessionCredential } from './principal.ts'

/**
 * A secret that the next page shows exactly once. It is stored encrypted in a cookie; the database holds only its id and
 * deletes that when the page is rendered. The cookie or the row alone reveals nothing, and neither does a copy of both
 * afterwards.
 */
export interface Flash {
  /** One sentence that says what the secret is. */
  readonly text: string
  readonly secret: string
}

const COOKIE = 'svc_flash'
const PLACE = { path: '/web', sameSite: 'Strict' } as const
const SECONDS = 120
const MAX_CHARS = 4_000

const CONTENT = z.object({ id: z.uuid(), text: z.string(), secret: z.string() })

/** Stores a secret for the next page of this session and returns the cookie that holds it. */
export async function storeFlash(
  services: Services,
  db: Db,
  { sessionId }: SessionCredential,
  { text, secret }: Flash,
): Promise<string> {
  const { id } = await db
    .insertInto('sys_flash')
    .values((eb) => ({
      id: eb.fn<string>('gen_random_uuid'),
      session_id: sessionId,
      expires_at: secondsFromNow(eb, SECONDS),
    }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const content = utf8ToBytes(JSON.stringify({ id, text, secret }))
  const sealed = await new CompactEncrypt(content)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(keyOf(services))
  return setCookie(services, COOKIE, sealed, { ...PLACE, maxAge: SECONDS })
}

export interface ConsumedFlash {
  readonly flash: Flash | null
  /** Cookies that delete the secret. */
  readonly cookies: readonly string[]
}

/** Reads and deletes the secret stored for this session; the caller renders it at once. */
export async function consumeFlash(
  services: Services,
  request: Request,
  { sessionId }: SessionCredential,
): Promise<ConsumedFlash> {
  const sealed = readCookie(request.headers.get('cookie'), COOKIE)
  if (sealed === null || !isShown(request)) return { flash: null, cookies: [] }
  const content = await unseal(services, sealed)
  const cookies = [dropCookie(services, COOKIE, PLACE)]
  if (content === null) return { flash: null, cookies }
  const consumed = await services.db
    .deleteFrom('sys_flash')
    .where('id', '=', content.id)
    .where('session_id', '=', sessionId)
    .where('expires_at', '>', (eb) => eb.fn<string>('now'))
    .returning('id')
    .executeTakeFirst()
  return { flash: consumed === undefined ? null : { text: content.text, secret: content.secret }, cookies }
}

const isShown = ({ method, headers }: Request): boolean => method === 'GET' && !isPrefetch(headers)

async function unseal(services: Services, sealed: string): Promise<z.output<typeof CONTENT> | null> {
  if (sealed.length > MAX_CHARS) return null
  try {
    const { plaintext } = await compactDecrypt(sealed, keyOf(services), {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
      maxDecompressedLength: 0,
    })
    return CONTENT.safeParse(JSON.parse(new TextDecoder().decode(plaintext))).data ?? null
  } catch {
    return null
  }
}

const keyOf = ({ secretKey }: Services): Uint8Array => hmac(sha256, secretKey, utf8ToBytes('flash 1'))
