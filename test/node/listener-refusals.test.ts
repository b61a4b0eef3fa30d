import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Listener, listen } from '../../runtime/node/server.ts'
import { sendRaw, statusOf } from '../support/raw-socket.ts'
import { reasonFlaw } from '../support/reasons.ts'

const upgrade = { takes: () => true, handle: async () => {} }

let listener: Listener
beforeAll(async () => {
  const app = { fetch: async () => new Response('served') }
  listener = await listen(app, { host: '127.0.0.1', port: 0, publicUrl: 'https://erp.example.com', upgrade })
  // The time is not the point, only that it ends.
  listener.server.headersTimeout = 500
})
afterAll(() => listener.close())

const head = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`
const get = (...headers: readonly string[]) => head('GET /web HTTP/1.1', ...headers)
const HOST = 'Host: erp.example.com'
const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket']

test.each([
  ['nonsense', 'nonsense\r\n\r\n', '400 BAD_REQUEST request_invalid'],
  ['two Host headers', get(HOST, HOST), '400 BAD_REQUEST header_invalid'],
  ['no Host header', get('X: y'), '400 BAD_REQUEST header_invalid'],
  ['no Host header, for an upgrade', get(...UPGRADE), '400 BAD_REQUEST header_invalid'],
  ['a Host that is none', get('Host: a b'), '400 BAD_REQUEST header_invalid'],
  ['an unknown expectation', get(HOST, 'Expect: more'), '400 BAD_REQUEST header_invalid'],
  ['101 headers', get(HOST, ...Array.from({ length: 100 }, (_, i) => `X-${i}: y`)), '400 BAD_REQUEST limit_exceeded'],
  ['a target that is no path', head('OPTIONS * HTTP/1.1', HOST), '400 BAD_REQUEST url_invalid'],
  ['a path with dots', head('GET /web/../metrics HTTP/1.1', HOST), '400 BAD_REQUEST url_invalid'],
  ['half a head', `GET /web HTTP/1.1\r\n${HOST}\r\nX-Slow: `, '408 REQUEST_TIMEOUT request_too_slow'],
  [
    'long chunk extensions',
    `${head('POST /web HTTP/1.1', HOST, 'Transfer-Encoding: chunked')}1;${'x'.repeat(20_000)}\r\n`,
    '413 PAYLOAD_TOO_LARGE body_too_large',
  ],
  ['the host of another service', get('Host: example.com'), '421 MISDIRECTED host_unknown'],
  ['one for an upgrade', get('Host: example.com', ...UPGRADE), '421 MISDIRECTED host_unknown'],
  ['long headers', get(HOST, `X: ${'y'.repeat(17_000)}`), '431 HEADERS_TOO_LARGE head_too_large'],
])(
  'what is refused before any handler, as %s, has the envelope of an error with its reason',
  async (_name, bytes, expected) => {
    const answer = await sendRaw(listener.url, bytes)
    expect(answer).toContain("content-security-policy: default-src 'none'")
    expect(answer).toContain('content-type: application/json; charset=utf-8')
    const { ok, result, error } = JSON.parse(/\{.*\}/.exec(answer)![0])
    expect([ok, result, Object.keys(error)]).toEqual([false, null, ['code', 'message', 'details']])
    expect(`${statusOf(answer)} ${error.code} ${error.details.reason}`).toBe(expected)
    expect(reasonFlaw(error.code, error.details)).toBeUndefined()
  },
)

test('HTTP/1.0 may come without a host', async () => {
  expect(statusOf(await sendRaw(listener.url, head('GET /web HTTP/1.0')))).toBe(200)
})
