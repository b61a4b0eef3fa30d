import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { decodeUtf8, readBytes, requireJson } from '../../kernel/http/body.ts'
import { readCookie } from '../../kernel/http/cookie.ts'
import { readMultipart } from '../../kernel/http/multipart.ts'
import { parseInput } from '../../kernel/http/parse.ts'
import { suppliedRequestId } from '../../kernel/http/request-id.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { sentApiKey } from '../../kernel/serve/authenticate.ts'
import type { Timer } from '../../kernel/services.ts'

const codeOf = async (run: () => unknown): Promise<string> => {
  try {
    await run()
    return 'OK'
  } catch (error) {
    return error instanceof AppError ? error.code : `not ours: ${String(error)}`
  }
}

const reasonOf = (run: () => Promise<unknown>): Promise<unknown> =>
  run().then(
    () => 'OK',
    (error) => (error instanceof AppError ? error.reason : error),
  )

describe('readCookie', () => {
  test.each([
    [null, null],
    ['', null],
    ['svc_session=abc', 'abc'],
    ['a=1; svc_session=abc; b=2', 'abc'],
    ['svc_session = abc', 'abc'],
    ['xsvc_session=abc', null],
    ['svc_session=abc; svc_session=def', null],
    ['svc_session=abc;svc_session=abc', null],
    ['svc_session', null],
    ['svc_session=a=b', 'a=b'],
  ])('finds in %j the session %j', (header, value) => {
    expect(readCookie(header, 'svc_session')).toBe(value)
  })
})

describe('sentApiKey', () => {
  test.each([
    [{}, null],
    [{ 'x-api-key': 'k' }, 'k'],
    [{ authorization: 'Bearer k' }, 'k'],
    [{ authorization: 'bearer  k ' }, 'k'],
    [{ authorization: 'Basic k' }, null],
    [{ 'x-api-key': 'a', authorization: 'Bearer b' }, 'a'],
  ])('finds in %j the key %j', (headers, key) => {
    expect(sentApiKey(new Headers(headers as Record<string, string>))).toBe(key)
  })
})

describe('requireJson', () => {
  test.each([
    ['application/json', 'OK'],
    ['application/json; charset=utf-8', 'OK'],
    ['Application/JSON; Charset="UTF-8"', 'OK'],
    ['application/json; charset=utf-16', 'UNSUPPORTED_MEDIA'],
    ['application/json; charset=utf-8; charset=latin1', 'UNSUPPORTED_MEDIA'],
    ['text/plain', 'UNSUPPORTED_MEDIA'],
    ['application/jsonp', 'UNSUPPORTED_MEDIA'],
    ['application/x-www-form-urlencoded', 'UNSUPPORTED_MEDIA'],
    ['text/plain; application/json', 'UNSUPPORTED_MEDIA'],
    ['', 'UNSUPPORTED_MEDIA'],
  ])('answers %j with %s', async (type, code) => {
    expect(await codeOf(() => requireJson(new Headers({ 'content-type': type })))).toBe(code)
  })

  test('a body without a type is refused', async () => {
    expect(await codeOf(() => requireJson(new Headers()))).toBe('UNSUPPORTED_MEDIA')
  })

  test.each(['gzip', 'br', 'identity, gzip'])('a body in %s is refused', async (encoding) => {
    const headers = new Headers({ 'content-type': 'application/json', 'content-encoding': encoding })
    expect(await codeOf(() => requireJson(headers))).toBe('UNSUPPORTED_MEDIA')
  })
})

describe('readBytes', () => {
  const post = (body: BodyInit | null, headers: Record<string, string> = {}) =>
    new Request('http://test/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)

  const never = () => () => {}

  test('gives the bytes of a body that comes in pieces', async () => {
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of ['ab', 'c', 'def']) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      },
    })
    expect(decodeUtf8(await readBytes(post(pieces), 6, never))).toBe('abcdef')
  })

  test('a body at the limit passes and one byte more does not', async () => {
    expect(await codeOf(() => readBytes(post('123456'), 6, never))).toBe('OK')
    expect(await codeOf(() => readBytes(post('1234567'), 6, never))).toBe('PAYLOAD_TOO_LARGE')
  })

  test('a declared length over the limit is refused before the body is read', async () => {
    let pulled = 0
    const stream = new ReadableStream<Uint8Array>({ pull: () => void pulled++ }, { highWaterMark: 0 })
    expect(await codeOf(() => readBytes(post(stream, { 'content-length': '7' }), 6, never))).toBe('PAYLOAD_TOO_LARGE')
    expect(pulled).toBe(0)
  })

  test('an endless body is cut off at the limit', async () => {
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(1_000))
      },
    })
    expect(await codeOf(() => readBytes(post(endless), 10_000, never))).toBe('PAYLOAD_TOO_LARGE')
    expect(pulled).toBeLessThan(20)
  })

  test('a body that breaks off is a bad request', async () => {
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('gone')) })
    expect(await codeOf(() => readBytes(post(broken), 10, never))).toBe('BAD_REQUEST')
  })

  test('a body that stops arriving is given up after its time limit, and its source is cancelled', async () => {
    const timers = { begun: 0, ended: 0 }
    const over: Timer = (ms, run) => {
      expect(ms).toBe(LIMITS.bodyMs)
      timers.begun++
      queueMicrotask(run)
      return () => void timers.ended++
    }
    let cancelled = 0
    const silent = () =>
      new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}), cancel: () => void cancelled++ })
    const form = { 'content-type': 'multipart/form-data; boundary=x' }
    expect(await reasonOf(() => readBytes(post(silent()), 10, over))).toBe('body_too_slow')
    expect(await reasonOf(() => readMultipart(post(silent(), form), 10, over))).toBe('body_too_slow')
    expect(cancelled).toBe(2)
    // The host reads a body of declared length, and ends it by itself.
    expect(await reasonOf(() => readBytes(post(silent(), { 'content-length': '5' }), 10, over))).toBe('body_too_slow')
    expect(timers).toEqual({ begun: 3, ended: 3 })
  })

  test('bytes that are not UTF-8 are refused', async () => {
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80]]) {
      expect(await codeOf(() => decodeUtf8(new Uint8Array(bytes)))).toBe('BAD_REQUEST')
    }
  })
})

describe('suppliedRequestId', () => {
  test.each([
    ['abc-123', 'abc-123'],
    ['!~', '!~'],
    ['x'.repeat(128), 'x'.repeat(128)],
    ['x'.repeat(129), null],
    ['', null],
    ['a b', null],
    ['é', null],
    ['a\tb', null],
    [null, null],
  ])('takes %j as %j', (header, id) => {
    expect(suppliedRequestId(header)).toBe(id)
  })
})

describe('parseInput', () => {
  test('names the first wrong place as one would write it', () => {
    const schema = z.tuple([z.array(z.strictObject({ name: z.string() }))])
    expect(() => parseInput(schema, [[{ name: 'a' }, { name: 1 }]], 'args')).toThrow(/^args\[0\]\[1\]\.name: /)
  })
  test('describes problems in words of the API, not in those of a library', () => {
    const said = (schema: z.ZodType, value: unknown) => {
      try {
        return parseInput(z.object({ it: schema }), { it: value })
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(said(z.string(), undefined)).toBe('it: Is missing.')
    expect(said(z.enum(['a', 'b']), undefined)).toBe('it: Is missing.')
    expect(said(z.union([z.string(), z.number()]), undefined)).toBe('it: Is missing.')
    expect(said(z.string(), 1)).toBe('it: Must be a text.')
    expect(said(z.array(z.string()), {})).toBe('it: Must be a list.')
    expect(said(z.int(), 1.5)).toBe('it: Must be a whole number.')
    expect(said(z.union([z.string(), z.boolean()]), 1)).toBe('it: Must be a text or true or false.')
    expect(said(z.enum(['a', 'b']), 'c')).toBe('it: Must be one of a, b.')
    expect(said(z.string().max(3), 'long')).toBe('it: Must have at most 3 characters.')
    expect(said(z.string().min(1), '')).toBe('it: Must not be empty.')
    expect(said(z.array(z.string()).max(1), ['a', 'b'])).toBe('it: Must have at most 1 entry.')
    expect(said(z.int().positive(), 0)).toBe('it: Must be more than 0.')
    expect(said(z.string().regex(/^a/), 'b')).toBe('it: Has a form that is not allowed.')
    expect(said(z.string().regex(/^a/, 'Must begin with an a.'), 'b')).toBe('it: Must begin with an a.')
  })
})
