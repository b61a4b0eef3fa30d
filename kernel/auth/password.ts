import { scryptAsync } from '@noble/hashes/scrypt.js'
import { equalBytes, fromBase64, toBase64 } from '../bytes.ts'
import { normalForm } from '../model/normal-form.ts'
import type { PasswordPort } from '../services.ts'

/** Cost of scrypt: 2^ln rounds, block size r, parallelism p; it takes 128·r·2^ln bytes of memory. */
export interface ScryptCost {
  readonly ln: number
  readonly r: number
  readonly p: number
}

/** 32 MiB and about half a second of one core: runs on every host, also in a 128 MB isolate. */
export const SCRYPT_COST: ScryptCost = { ln: 15, r: 8, p: 3 }

/** A stored hash with a higher cost is refused, so that a manipulated row cannot block the process. */
const MAX_COST: ScryptCost = { ln: 17, r: 8, p: 5 }

const SALT_BYTES = 16
export const HASH_BYTES = 32

interface Phc extends ScryptCost {
  readonly salt: Uint8Array
  readonly hash: Uint8Array
}

const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{8,64})\$([A-Za-z0-9+/]{43})$/

export const formatPhc = ({ ln, r, p, salt, hash }: Phc): string =>
  `$scrypt$ln=${ln},r=${r},p=${p}$${toBase64(salt)}$${toBase64(hash)}`

/** Null for anything but a scrypt hash in our format and within the cost limit. */
export function parsePhc(text: string): Phc | null {
  const match = PHC.exec(text)
  if (!match) return null
  const [ln, r, p] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (ln < 1 || ln > MAX_COST.ln || r < 1 || r > MAX_COST.r || p < 1 || p > MAX_COST.p) return null
  const salt = fromBase64(match[4]!)
  const hash = fromBase64(match[5]!)
  return salt && hash && hash.length === HASH_BYTES ? { ln, r, p, salt, hash } : null
}

/** Unicode NFKC, so that a password typed on another keyboard gives the same characters. */
const normalize = (password: string): string => normalForm(password, 'NFKC')

export type DeriveKey = (password: string, salt: Uint8Array, cost: ScryptCost) => Promise<Uint8Array>

/** Password hashing over a host's scrypt. Tests pass a small cost; a stored hash carries the cost it was made with. */
export function scryptPasswords(
  derive: DeriveKey,
  random: (bytes: number) => Uint8Array,
  cost: ScryptCost = SCRYPT_COST,
): PasswordPort {
  return {
    decoy: formatPhc({ ...cost, salt: new Uint8Array(SALT_BYTES), hash: new Uint8Array(HASH_BYTES) }),
    isOutdated(phc) {
      const stored = parsePhc(phc)
      return stored === null || work(stored) < work(cost)
    },
    async hash(password) {
      const salt = random(SALT_BYTES)
      return formatPhc({ ...cost, salt, hash: await derive(normalize(password), salt, cost) })
    },
    async verify(password, phc) {
      const stored = parsePhc(phc)
      return stored !== null && equalBytes(await derive(normalize(password), stored.salt, stored), stored.hash)
    },
  }
}

const work = ({ ln, r, p }: ScryptCost): number => 2 ** ln * r * p

/** For hosts without a native scrypt: pure JavaScript that yields every 10 ms. */
export const noblePasswords = (random: (bytes: number) => Uint8Array, cost?: ScryptCost): PasswordPort =>
  scryptPasswords(
    (password, salt, { ln, r, p }) => scryptAsync(password, salt, { N: 2 ** ln, r, p, dkLen: HASH_BYTES }),
    random,
    cost,
  )
