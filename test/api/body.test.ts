import { beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import type { Timer } from '../../kernel/services.ts'
import { openWorkGate } from '../../runtime/work-gate.ts'
import type { Agent } from '../support/agent.ts'
import { describeHost, describeHosts } from '../support/hosts.ts'

const call = JSON.stringify({ model: 'core.country', method: 'search_read', args: [[['code', '=', 'PL']], ['name']] })

describeHosts('the body of a call', (host) => {
  let admin: Agent
  beforeAll(async () => {
    admin = await host.apiKey('admin')
  })

  const outcome = async (body: BodyInit, headers: Record<string, string> = {}) => {
    const response = await admin.post(body, headers)
    const { error } = (await response.json()) as { error: { code: string } | null }
    return `${response.status} ${error?.code ?? 'OK'}`
  }

  test.each([
    ['application/json', '200 OK'],
    ['application/json;charset=UTF-8', '200 OK'],
    ['APPLICATION/JSON; charset="utf-8"', '200 OK'],
    ['application/json; charset=utf-16', '415 UNSUPPORTED_MEDIA'],
    ['application/json; charset=iso-8859-1', '415 UNSUPPORTED_MEDIA'],
    ['text/plain', '415 UNSUPPORTED_MEDIA'],
    ['text/json', '415 UNSUPPORTED_MEDIA'],
    ['application/x-www-form-urlencoded', '415 UNSUPPORTED_MEDIA'],
    ['multipart/form-data; boundary=x', '415 UNSUPPORTED_MEDIA'],
    ['application/json-patch+json', '415 UNSUPPORTED_MEDIA'],
  ])('as %s is answered with %s', async (type, expected) => {
    expect(await outcome(call, { 'content-type': type })).toBe(expected)
  })

  test('that is compressed is UNSUPPORTED_MEDIA', async () => {
    expect(await outcome(call, { 'content-encoding': 'gzip' })).toBe('415 UNSUPPORTED_MEDIA')
    expect(await outcome(call, { 'content-encoding': 'identity' })).toBe('200 OK')
  })

  test.each([
    ['nothing', ''],
    ['no JSON', 'model=core.country'],
    ['half of it', call.slice(0, -3)],
    ['two documents', call + call],
    ['a comment', `/* x */ ${call}`],
    ['NaN', call.replace('"PL"', 'NaN')],
    ['an inherited key', call.replace('{', '{"__proto__": {"limit": 1}, ')],
    ['an inherited key in kwargs', call.replace('}', ', "kwargs": {"__proto__": {"limit": 1e9}}}')],
    ['an escaped inherited key', call.replace('}', ', "kwargs": {"\\u005f\\u005fproto__": {}}}')],
    ['the key constructor', call.replace('}', ', "kwargs": {"constructor": {}}}')],
    ['a NUL', call.replace('PL', '\\u0000')],
    ['half a surrogate pair', call.replace('PL', '\\ud83d')],
  ])('with %s is BAD_REQUEST', async (_name, body) => {
    expect(await outcome(body)).toBe('400 BAD_REQUEST')
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('limit')
  })

  test('that is not UTF-8 is BAD_REQUEST', async () => {
    const bytes = new TextEncoder().encode(call.replace('PL', 'P?'))
    bytes[bytes.indexOf('?'.charCodeAt(0))] = 0xff
    expect(await outcome(bytes)).toBe('400 BAD_REQUEST')
  })

  test(`may have ${LIMITS.rpcBodyBytes} bytes and not one more`, async () => {
    const padded = (size: number) => call + ' '.repeat(size - call.length)
    expect(await outcome(padded(LIMITS.rpcBodyBytes))).toBe('200 OK')
    expect(await outcome(padded(LIMITS.rpcBodyBytes + 1))).toBe('413 PAYLOAD_TOO_LARGE')
  })

  test(`may be nested ${LIMITS.jsonDepth} levels and no more`, async () => {
    const nested = (levels: number) => call.replace('"PL"', '['.repeat(levels) + ']'.repeat(levels))
    expect(await outcome(nested(LIMITS.jsonDepth - 4))).toBe('400 BAD_REQUEST')
    const { error } = (await (await admin.post(nested(LIMITS.jsonDepth))).json()) as { error: { message: string } }
    expect(error.message).toContain(`${LIMITS.jsonDepth} levels`)
  })

  test(`may have ${LIMITS.jsonTokens} members and no more`, async () => {
    const { error } = (await (
      await admin.post(call.replace('"PL"', `[${'1,'.repeat(LIMITS.jsonTokens)}1]`))
    ).json()) as {
      error: { message: string }
    }
    expect(error.message).toContain(`${LIMITS.jsonTokens} members`)
  })
})

/** The time of these bodies is over as soon as they are read. */
const atOnce: Timer = (_ms, run) => {
  queueMicrotask(run)
  return () => {}
}

describeHost(
  'a body that never ends',
  'process',
  (host) => {
    test('is refused when its time is over, and leaves its place to the next call of the user', async () => {
      const admin = await host.apiKey('admin')
      for (let i = 0; i < 3; i++) {
        let cancelled = false
        const body = new ReadableStream({
          pull: () => new Promise(() => {}),
          cancel: () => {
            cancelled = true
          },
        })
        const init = { method: 'POST', body, duplex: 'half' } as RequestInit
        const response = await admin.fetch('/api/rpc', init, { 'content-type': 'application/json' })
        expect([response.status, await response.json(), cancelled]).toMatchObject([
          400,
          { error: { code: 'BAD_REQUEST', details: { reason: 'body_too_slow' } } },
          true,
        ])
      }
    })
  },
  { timer: atOnce, workGate: openWorkGate(1, 0) },
)
