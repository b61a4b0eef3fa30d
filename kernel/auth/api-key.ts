import { utf8ToBytes } from '@noble/hashes/utils.js'
import { isKeyScope, unknownInScope } from '../access/key-scope.ts'
import type { Env } from '../env.ts'
import { invalid, notFound } from '../errors.ts'
import { keyedHash } from '../hmac.ts'
import { create } from '../orm/record/create.ts'
import type { Services } from '../services.ts'

const PREFIX = 'sk_'
const SECRET_CHARS = 43
const CHECK_CHARS = 6
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_CHARS + CHECK_CHARS}}$`)
/** Prefix that separates these hashes from other uses of the installation's secret. */
const PURPOSE = 'api key 1:'

/**
 * A new key: 256 random bits and a checksum, so that a mistyped key is refused, and a secret scanner can verify a match,
 * without a query.
 */
export function generateApiKey(random: (bytes: number) => Uint8Array): string {
  const bits = random(32).reduce((number, byte) => number * 256n + BigInt(byte), 0n)
  const body = PREFIX + toBase62(bits, SECRET_CHARS)
  return body + checksum(body)
}

export function isApiKey(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(0, -CHECK_CHARS)) === text.slice(-CHECK_CHARS)
}

/** The stored form. A key has 256 random bits, so a fast keyed hash is safe, and the row can be found by equality. */
export const hashApiKey = (services: Pick<Services, 'secretKey' | 'hmacSha256'>, key: string): Uint8Array =>
  keyedHash(services, services.secretKey, utf8ToBytes(PURPOSE + key))

/** The part of a key that lists may show. */
export const hintOfApiKey = (key: string): string => `${key.slice(0, 7)}…${key.slice(-4)}`

export interface ApiKeyOptions {
  readonly userId: number
  readonly name: string
  readonly expiresAt: string | null
  readonly scope: Readonly<Record<string, unknown>> | null
}

export interface NewApiKey {
  readonly id: number
  /** Shown once; the database keeps a hash. */
  readonly key: string
}

/** Creates a key as the acting user, who needs the right to create `core.api.key` records. */
export async function createApiKey(env: Env, options: ApiKeyOptions): Promise<NewApiKey> {
  const model = env.registry.model('core.api.key')
  if (!model) throw notFound('not_offered', 'There are no API keys in this installation.')
  if (options.scope !== null) requireUsableScope(env, options.scope)
  const key = generateApiKey(env.services.random)
  const [id = 0] = await create(env, model, [
    {
      name: options.name,
      user_id: options.userId,
      hint: hintOfApiKey(key),
      expires_at: options.expiresAt,
      scope: options.scope,
    },
  ])
  const secretHash = hashApiKey(env.services, key)
  await env.tx.insertInto('sys_api_key_secret').values({ key_id: id, secret_hash: secretHash }).execute()
  return { id, key }
}

/**
 * Throws for an invalid scope or a misspelt name in it: it would cover nothing, and the key would be refused without an apparent reason.
 * Names of models are checked only here, since a module may be uninstalled and come back.
 */
function requireUsableScope(env: Env, scope: unknown): void {
  if (!isKeyScope(scope))
    throw invalid('value_invalid', { scope: 'Must be like {"models": {"core.partner": ["read"]}, "read_only": true}.' })
  const problem = unknownInScope(env, scope)
  if (problem === undefined) return
  throw invalid('value_invalid', { scope: problem })
}

const checksum = (text: string) => toBase62(BigInt(crc32(text)), CHECK_CHARS)

function toBase62(value: bigint, width: number): string {
  let digits = ''
  for (let rest = value; rest > 0n; rest /= 62n) digits = BASE62[Number(rest % 62n)] + digits
  return digits.padStart(width, '0')
}

/** CRC-32 (IEEE 802.3) of ASCII text; bit by bit, since 46 characters are not worth a table. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
