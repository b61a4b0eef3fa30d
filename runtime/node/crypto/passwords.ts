import { randomBytes, scrypt } from 'node:crypto'
import { type DeriveKey, HASH_BYTES, type ScryptCost, scryptPasswords } from '../../../kernel/auth/password.ts'
import { unavailable } from '../../../kernel/errors.ts'
import type { PasswordPort } from '../../../kernel/services.ts'

/** Hashes at the same time, half a second of a core each: more would starve other work of libuv's threads. */
const AT_ONCE = 2
const WAITING = 16

/** Password hashing in libuv's thread pool. Sign-ins beyond that wait for their turn, and too many waiting ones are refused. */
export function nativePasswords(cost?: ScryptCost): PasswordPort {
  return scryptPasswords(queued(derive), randomBytes, cost)
}

const derive: DeriveKey = (password, salt, { ln, r, p }) =>
  new Promise((resolve, reject) => {
    const options = { N: 2 ** ln, r, p, maxmem: 256 * r * 2 ** ln }
    scrypt(password, salt, HASH_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)))
  })

function queued(work: DeriveKey): DeriveKey {
  const waiting: (() => void)[] = []
  let running = 0
  return async (...args) => {
    if (running >= AT_ONCE) {
      if (waiting.length >= WAITING)
        throw unavailable('busy', 'Too many people are signing in right now. Try again in a moment.')
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work(...args)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
