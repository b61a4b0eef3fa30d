import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readScope, scopeAllows, scopeCovers } from '../../kernel/access/key-scope.ts'
import { generateApiKey, hashApiKey, hintOfApiKey, isApiKey } from '../../kernel/auth/api-key.ts'
import { isCsrfToken, isSameOrigin, issueCsrfToken } from '../../kernel/auth/csrf.ts'
import { noblePasswords, parsePhc, SCRYPT_COST } from '../../kernel/auth/password.ts'
import { hashSessionToken } from '../../kernel/auth/session.ts'
import { fromBase64Url, toBase64, toBase64Url } from '../../kernel/bytes.ts'
import { nativeHmac } from '../../runtime/node/crypto/hmac.ts'
import { nativePasswords } from '../../runtime/node/crypto/passwords.ts'
import { mistyped } from '../support/mistyped.ts'

const QUICK = { ln: 4, r: 8, p: 1 }

describe('API keys', () => {
  test('a key is sk_, 43 characters of secret and 6 of checksum', () => {
    for (let i = 0; i < 200; i++) {
      const key = generateApiKey(randomBytes)
      expect(key).toMatch(/^sk_[0-9A-Za-z]{49}$/)
      expect(isApiKey(key)).toBe(true)
    }
  })

  test('the smallest and the largest number fit the same length', () => {
    expect(generateApiKey((size) => new Uint8Array(size))).toHaveLength(52)
    expect(generateApiKey((size) => new Uint8Array(size).fill(255))).toHaveLength(52)
  })

  test('the checksum is CRC-32 in base 62', () => {
    // crc32('sk_' + '0' × 43) by zlib: 0x6b9ad6a2
    const key = generateApiKey((size) => new Uint8Array(size))
    expect(key.slice(0, 46)).toBe(`sk_${'0'.repeat(43)}`)
    expect(fromBase62(key.slice(46))).toBe(zlibCrc32(key.slice(0, 46)))
  })

  test('a mistyped key is detected without a query', () => {
    const key = generateApiKey(randomBytes)
    for (let at = 3; at < key.length; at++) {
      expect(isApiKey(mistyped(key, at))).toBe(false)
    }
    expect(isApiKey('')).toBe(false)
    expect(isApiKey(`${key}x`)).toBe(false)
  })

  test('the stored hash depends on the key and on the secret of the installation', () => {
    const key = generateApiKey(randomBytes)
    const secret = randomBytes(32)
    expect(hashApiKey({ secretKey: secret }, key)).toEqual(hashApiKey({ secretKey: secret }, key))
    const native = { secretKey: secret, hmacSha256: nativeHmac }
    expect(toBase64(hashApiKey(native, key))).toBe(toBase64(hashApiKey({ secretKey: secret }, key)))
    expect(hashApiKey({ secretKey: secret }, key)).not.toEqual(hashApiKey({ secretKey: randomBytes(32) }, key))
    expect(hashApiKey({ secretKey: secret }, key)).not.toEqual(
      hashApiKey({ secretKey: secret }, generateApiKey(randomBytes)),
    )
  })

  test('the hint shows the first seven and the last four characters', () => {
    expect(hintOfApiKey('sk_abcdefghijklmnop')).toBe('sk_abcd…mnop')
  })
})

describe('the scope of a key', () => {
  const read = { model: 'sale.order', method: 'read', isRead: true }
  const write = { model: 'sale.order', method: 'write', isRead: false }
  test.each([
    [null, true, true],
    [{}, true, true],
    [{ read_only: true }, true, false],
    [{ models: { 'sale.order': ['read'] } }, true, false],
    [{ models: { 'sale.order': ['*'] } }, true, true],
    [{ models: { '*': ['read', 'write'] } }, true, true],
    [{ models: { '*': ['read', 'write'], 'sale.order': ['write'] } }, false, true],
    [{ models: { 'crm.lead': ['read'] } }, false, false],
    [{ models: {} }, false, false],
    [{ models: { '*': ['*'] }, read_only: true }, true, false],
    ['everything', false, false],
    [[], false, false],
    [{ models: ['sale.order'] }, false, false],
    [{ models: { 'sale.order': 'read' } }, false, false],
    [{ read_only: 'no' }, false, false],
    [{ readonly: true }, false, false],
  ])('%j lets read: %s, write: %s', (scope, mayRead, mayWrite) => {
    const understood = readScope(scope)
    expect([scopeAllows(understood, read), scopeAllows(understood, write)]).toEqual([mayRead, mayWrite])
    const covers = (['read', 'write'] as const).map((operation) => scopeCovers(understood, 'sale.order', operation))
    expect(covers).toEqual([mayRead, mayWrite])
  })

  test('a model named like an inherited property finds nothing', () => {
    expect(scopeAllows({ models: {} }, { model: 'toString', method: 'read', isRead: true })).toBe(false)
  })
})

describe('CSRF tokens', () => {
  const secret = randomBytes(32)

  test('a token is good for its session only, and every one differs', () => {
    const token = issueCsrfToken(secret, randomBytes)
    expect(isCsrfToken(secret, token)).toBe(true)
    expect(isCsrfToken(randomBytes(32), token)).toBe(false)
    expect(issueCsrfToken(secret, randomBytes)).not.toBe(token)
  })

  test.each(['', 'x', 'x'.repeat(64), '!'.repeat(64), 'A'.repeat(65)])('%j is no token', (text) => {
    expect(isCsrfToken(secret, text)).toBe(false)
  })

  test.each([
    [{}, true],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://erp.test' }, false],
    [{ origin: 'https://erp.test' }, true],
    [{ origin: 'https://evil.test' }, false],
    [{ origin: 'http://erp.test' }, false],
    [{ origin: 'null' }, false],
  ])('a request with %j is from the same origin: %s', (headers, same) => {
    expect(isSameOrigin(new Headers(headers as Record<string, string>), 'https://erp.test')).toBe(same)
  })
})

describe('session tokens', () => {
  test('only the text of 32 bytes has a hash', () => {
    expect(hashSessionToken(toBase64Url(randomBytes(32)))).toHaveLength(32)
    for (const text of ['', 'abc', toBase64Url(randomBytes(31)), `${toBase64Url(randomBytes(32))}A`, ' '.repeat(43)]) {
      expect(hashSessionToken(text)).toBeNull()
    }
  })

  test('base64url gives back every byte', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
    expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes)
  })
})

describe('passwords', () => {
  const hosts = { native: nativePasswords(QUICK), noble: noblePasswords(randomBytes, QUICK) }

  test.each(Object.entries(hosts))('%s verifies what either host has hashed', async (_name, port) => {
    for (const other of Object.values(hosts)) {
      const phc = await other.hash('correct horse')
      expect(phc).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
      expect(await port.verify('correct horse', phc)).toBe(true)
      expect(await port.verify('wrong horse', phc)).toBe(false)
    }
  })

  test('the same characters typed differently are the same password', async () => {
    const phc = await hosts.native.hash('caf\u00e9 \ufb01ne wine')
    expect(await hosts.native.verify('cafe\u0301 fine wine', phc)).toBe(true)
  })

  test('the default cost is ln=15, r=8, p=3', () => {
    expect(SCRYPT_COST).toEqual({ ln: 15, r: 8, p: 3 })
  })

  test.each([
    '',
    'plain',
    '$scrypt$ln=18,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '$scrypt$ln=15,r=9,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '$scrypt$ln=15,r=8,p=6$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '$scrypt$ln=0,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '$argon2id$v=19$m=16,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ])('the hash %j is refused without any work', async (phc) => {
    expect(parsePhc(phc)).toBeNull()
    expect(await hosts.native.verify('x', phc)).toBe(false)
  })

  test('more than two running and sixteen waiting sign-ins are refused', async () => {
    const port = nativePasswords({ ln: 12, r: 8, p: 1 })
    const results = await Promise.allSettled(Array.from({ length: 30 }, () => port.hash('x')))
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(18)
  })
})

const fromBase62 = (text: string): number =>
  [...text].reduce(
    (sum, digit) => sum * 62 + '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.indexOf(digit),
    0,
  )

/** The table-driven form of the same polynomial, as an independent second opinion. */
function zlibCrc32(text: string): number {
  const table = Array.from({ length: 256 }, (_, n) => {
    let c = n
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    return c >>> 0
  })
  let crc = 0xffffffff
  for (const byte of Buffer.from(text)) crc = table[(crc ^ byte) & 0xff]! ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}
