import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import { listen, NodeResponse } from '../../runtime/node/server.ts'
import { describeHost } from '../support/hosts.ts'
import { sendRaw, statusOf } from '../support/raw-socket.ts'

const lines = (...all: readonly string[]) => `${all.join('\r\n')}\r\n\r\n`

describeHost('the listener', 'listener', (host) => {
  test('serves calls over a socket, with a declared length', async () => {
    const admin = await host.apiKey('admin')
    const answer = await admin.send({
      model: 'core.country',
      method: 'search_read',
      args: [[['code', '=', 'PL']], ['name']],
    })
    expect(answer).toMatchObject({ status: 200, result: [{ name: 'Poland' }] })
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(10)
    expect(answer.headers.get('transfer-encoding')).toBeNull()
  })

  test('text outside ASCII arrives whole', async () => {
    const admin = await host.apiKey('admin')
    const id = await admin.must<number>('core.tag', 'create', [{ name: 'Ærøskøbing — 東京 😀' }])
    expect(await admin.must('core.tag', 'read', [[id], ['name']])).toEqual([{ id, name: 'Ærøskøbing — 東京 😀' }])
  })

  test('answers HEAD without a body', async () => {
    const answer = await sendRaw(host.url, lines('HEAD /api/health HTTP/1.1', 'Host: x', 'Connection: close'))
    expect(statusOf(answer)).toBe(200)
    expect(answer.endsWith('\r\n\r\n')).toBe(true)
  })

  test.each([
    ['two Host headers', lines('GET /api/health HTTP/1.1', 'Host: a', 'Host: b')],
    ['two equal Host headers', lines('GET /api/health HTTP/1.1', 'Host: a', 'host: a')],
    ['no Host header', lines('GET /api/health HTTP/1.1', 'X: y')],
    ...[
      ...[
        'a b<c>',
        '[::1]/metrics?',
        'a/metrics?',
        'a?',
        'a#',
        'u@a',
        'a\\b',
        '',
        '[::1',
        '[1.2.3.4]',
        'a:99999',
        'a:b',
      ],
      ...['a%2fb', 'ä', ':80'],
    ].map((host): [string, string] => [
      `the Host ${host}`,
      lines('GET /api/health HTTP/1.1', `Host: ${host}`, 'Connection: close'),
    ]),
    ['an absolute target', lines('GET http://evil.test/api/health HTTP/1.1', 'Host: a')],
    ['the target *', lines('OPTIONS * HTTP/1.1', 'Host: a')],
    [
      'a length and chunks',
      `${lines('POST /api/rpc HTTP/1.1', 'Host: a', 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    ],
    ['two lengths', `${lines('POST /api/rpc HTTP/1.1', 'Host: a', 'Content-Length: 5', 'Content-Length: 6')}hello`],
    ['an unknown transfer coding', lines('POST /api/rpc HTTP/1.1', 'Host: a', 'Transfer-Encoding: xchunked')],
    ['a NUL in a header', lines('GET /api/health HTTP/1.1', 'Host: a', 'X: a\0b')],
    [
      '101 headers',
      lines('GET /api/health HTTP/1.1', 'Host: a', ...Array.from({ length: 100 }, (_, i) => `X-${i}: y`)),
    ],
    [
      'an overlong URL',
      lines(`GET /api/health?${'x'.repeat(LIMITS.urlBytes)} HTTP/1.1`, 'Host: a', 'Connection: close'),
    ],
  ])('refuses %s with 400', async (_name, request) => {
    expect(statusOf(await sendRaw(host.url, request))).toBe(400)
  })

  test.each(['a', 'my_service:8069', 'ERP.Example.com', '127.0.0.1:80', '[::1]:8069', '[2001:DB8::1]'])(
    'takes the Host %s',
    async (name) => {
      const request = lines('GET /api/health HTTP/1.1', `Host: ${name}`, 'Connection: close')
      expect(statusOf(await sendRaw(host.url, request))).toBe(200)
    },
  )

  test('takes 100 headers', async () => {
    const headers = Array.from({ length: 98 }, (_, i) => `X-${i}: y`)
    const answer = await sendRaw(
      host.url,
      lines('GET /api/health HTTP/1.1', 'Host: a', 'Connection: close', ...headers),
    )
    expect(statusOf(answer)).toBe(200)
  })

  test('refuses 16 KB of headers with 431', async () => {
    const answer = await sendRaw(host.url, lines('GET /api/health HTTP/1.1', 'Host: a', `X: ${'y'.repeat(17_000)}`))
    expect(statusOf(answer)).toBe(431)
  })

  test('an invalid request is answered with the security headers', async () => {
    for (const bytes of ['nonsense\r\n\r\n', lines('GET / HTTP/1.1', 'Host: a', `X: ${'y'.repeat(17_000)}`)]) {
      const answer = await sendRaw(host.url, bytes)
      expect([400, 431]).toContain(statusOf(answer))
      for (const header of ['x-content-type-options: nosniff', "content-security-policy: default-src 'none'"]) {
        expect(answer).toContain(header)
      }
    }
  })

  test('refuses a body over the limit before reading it, and closes the connection', async () => {
    const { key } = await host.apiKey('admin')
    const head = ['POST /api/rpc HTTP/1.1', 'Host: a', `X-API-Key: ${key}`, 'Content-Type: application/json']
    const declared = await sendRaw(host.url, lines(...head, `Content-Length: ${LIMITS.rpcBodyBytes + 1}`), '{')
    expect([statusOf(declared), /connection: close/i.test(declared)]).toEqual([413, true])
    const chunk = `${(65_536).toString(16)}\r\n${' '.repeat(65_536)}\r\n`
    const endless = await sendRaw(host.url, lines(...head, 'Transfer-Encoding: chunked'), chunk.repeat(40))
    expect(statusOf(endless)).toBe(413)
  })

  test('an unknown caller is refused before its body is read', async () => {
    const head = lines(
      'POST /api/rpc HTTP/1.1',
      'Host: a',
      'Content-Type: application/json',
      'Content-Length: 1000',
      'Connection: close',
    )
    expect(statusOf(await sendRaw(host.url, head))).toBe(401)
  })

  test('a caller that disconnects while sending its body is reported as one that left, not as an error', async () => {
    const { key } = await host.apiKey('admin')
    const { hostname, port } = new URL(host.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      lines(
        'POST /api/rpc HTTP/1.1',
        'Host: a',
        `X-API-Key: ${key}`,
        'Content-Type: application/json',
        'Content-Length: 100',
      ),
    )
    socket.write('{"model":')
    host.observed.length = 0
    host.database.statements.length = 0
    await expect.poll(() => host.database.statements.length).toBeGreaterThan(0)
    socket.destroy()
    await expect
      .poll(() => host.observed.find((observation) => observation.kind === 'request'))
      .toMatchObject({ path: '/api/rpc', status: 499, code: null })
    expect(host.observed.filter((observation) => observation.kind === 'failure')).toEqual([])
  })
})

describe('a listener with a public address', () => {
  test('answers to its name in any case, with the port of its scheme or none, to addresses and to localhost', async () => {
    const app = { fetch: async () => new Response('hello') }
    const listener = await listen(app, { host: '127.0.0.1', port: 0, publicUrl: 'https://erp.example.com' })
    const ask = async (name: string) =>
      statusOf(await sendRaw(listener.url, lines('GET / HTTP/1.1', `Host: ${name}`, 'Connection: close')))
    for (const name of ['ERP.Example.com', 'erp.example.com:443', 'LocalHost:8069', '10.0.0.1', '[::1]:80'])
      expect([name, await ask(name)]).toEqual([name, 200])
    for (const name of ['example.com', 'erp.example.com:444', 'erp.example.com.evil.test', 'localhost.evil.test'])
      expect([name, await ask(name)]).toEqual([name, 421])
    await listener.close()
  })
})

describe('a caller that does not read its answer', () => {
  const megabytes = 64
  const large = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    })

  test.each([
    ['in one piece', () => new NodeResponse('x'.repeat(megabytes * 1_048_576), { status: 200 })],
    ['streamed', () => new NodeResponse(large(), { status: 200 })],
  ])('is disconnected: an answer %s', async (_kind, response) => {
    const listener = await listen({ fetch: async () => response() }, { host: '127.0.0.1', port: 0, unreadMs: 200 })
    const connected = once(listener.server, 'connection') as Promise<[Socket]>
    const { hostname, port } = new URL(listener.url)
    const caller = connect(Number(port), hostname).on('error', () => {})
    caller.pause()
    caller.write(lines('GET / HTTP/1.1', 'Host: a'))
    const [socket] = await connected
    await once(socket, 'close')
    caller.destroy()
    await listener.close()
  })

  test('a caller that waits for a slow stream stays connected', async () => {
    let push = (_text: string) => {}
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        push = (text) => (text === '' ? controller.close() : controller.enqueue(new TextEncoder().encode(text)))
      },
    })
    const listener = await listen(
      { fetch: async () => new NodeResponse(body, { status: 200 }) },
      { host: '127.0.0.1', port: 0, unreadMs: 20 },
    )
    const connected = once(listener.server, 'connection') as Promise<[Socket]>
    const answer = fetch(listener.url)
    const [socket] = await connected
    const waited = once(socket, 'timeout')
    push('one ')
    const response = await answer
    await waited
    push('two')
    push('')
    expect(await response.text()).toBe('one two')
    await listener.close()
  })
})

describe('a listener that closes', () => {
  const hello = () => new Response('hello', { headers: { 'x-kind': 'standard', 'set-cookie': 'a=1' } })

  test('lets running requests end, tells them to close, and takes no new ones', async () => {
    let finish = () => {}
    const running = new Promise<void>((resolve) => {
      finish = resolve
    })
    const listener = await listen({ fetch: async () => running.then(hello) }, { host: '127.0.0.1', port: 0 })
    const answer = fetch(`${listener.url}/slow`)
    await once(listener.server, 'request')
    const closed = listener.close()
    await expect.poll(() => listener.server.listening).toBe(false)
    await expect(fetch(`${listener.url}/late`)).rejects.toThrow()
    finish()
    const response = await answer
    expect([response.status, await response.text(), response.headers.get('connection')]).toEqual([
      200,
      'hello',
      'close',
    ])
    await closed
  })

  test('ends running requests after the timeout', async () => {
    const listener = await listen({ fetch: () => new Promise(() => {}) }, { host: '127.0.0.1', port: 0 })
    const answer = fetch(`${listener.url}/for-ever?token=secret`).then(
      () => 'answered',
      () => 'cut',
    )
    await once(listener.server, 'request')
    expect(await listener.close({ graceMs: 50, idleMs: 600_000 })).toEqual(['GET /for-ever'])
    expect(await answer).toBe('cut')
  })

  test('first goes on serving for the given time, and every answer is the last on its connection', async () => {
    const listener = await listen({ fetch: async () => hello() }, { host: '127.0.0.1', port: 0 })
    const drained = listener.drain(600_000)
    const response = await fetch(listener.url)
    expect([await response.text(), response.headers.get('connection')]).toEqual(['hello', 'close'])
    listener.cut()
    await drained
    expect(await listener.close({ graceMs: 600_000, idleMs: 600_000 })).toEqual([])
  })

  test('waits for a connection that has brought nothing, or half a head, no longer than for an idle one', async () => {
    const listener = await listen({ fetch: async () => hello() }, { host: '127.0.0.1', port: 0 })
    const { hostname, port } = new URL(listener.url)
    for (const sent of ['', 'GET / HTTP/1.1\r\nHost: a\r\n']) {
      const caller = connect(Number(port), hostname).resume()
      caller.on('error', () => {})
      await once(listener.server, 'connection')
      if (sent !== '') caller.write(sent)
    }
    await listener.close({ graceMs: 600_000, idleMs: 50 })
  })

  test('waits only for its grace for a body that never arrives, and not for the rest of a body whose request is answered', async () => {
    const app = {
      async fetch(request: Request) {
        if (request.url.endsWith('/read')) await request.text()
        return hello()
      },
    }
    for (const { path, graceMs } of [
      { path: '/read', graceMs: 50 },
      { path: '/refused', graceMs: 600_000 },
    ]) {
      // Both times are long, because they would otherwise end the second connection.
      const listener = await listen(app, { host: '127.0.0.1', port: 0, unreadMs: 600_000 })
      listener.server.keepAliveTimeout = 0
      const { hostname, port } = new URL(listener.url)
      const caller = connect(Number(port), hostname)
        .resume()
        .on('error', () => {})
      caller.write(lines(`POST ${path} HTTP/1.1`, 'Host: a', 'Content-Length: 1000'))
      await once(listener.server, 'request')
      const closed = once(caller, 'close')
      await listener.close({ graceMs })
      await closed
    }
  })

  test('sends a standard response too: its headers, its cookies, its stream', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of ['one ', 'two']) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      },
    })
    const listener = await listen(
      {
        fetch: async () =>
          new Response(body, {
            headers: [
              ['set-cookie', 'a=1'],
              ['set-cookie', 'b=2'],
              ['x-kind', 'standard'],
            ],
          }),
      },
      { host: '127.0.0.1', port: 0 },
    )
    const response = await fetch(listener.url)
    expect(await response.text()).toBe('one two')
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(response.headers.get('x-kind')).toBe('standard')
    await listener.close()
  })

  test('cuts the connection when a streamed answer fails half-way, and goes on serving', async () => {
    const failing = () =>
      new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode('half ')),
        pull: () => Promise.reject(new Error('the source is gone')),
      })
    for (const ResponseOfHost of [NodeResponse, Response]) {
      const fetchApp = async ({ url }: Request) =>
        url.endsWith('/stream') ? new ResponseOfHost(failing(), { status: 200 }) : hello()
      const listener = await listen({ fetch: fetchApp }, { host: '127.0.0.1', port: 0 })
      await expect(fetch(`${listener.url}/stream`).then((response) => response.text())).rejects.toThrow()
      expect(await (await fetch(listener.url)).text()).toBe('hello')
      await listener.close()
    }
  })

  test('goes on serving after an app refused a body that was still being sent', async () => {
    const app = {
      async fetch(request: Request) {
        const reader = request.body?.getReader()
        await reader?.read()
        await reader?.cancel()
        return new NodeResponse('too large', { status: 413 })
      },
    }
    const { url, close } = await listen(app, { host: '127.0.0.1', port: 0 })
    const head = lines('POST / HTTP/1.1', 'Host: 127.0.0.1', 'Transfer-Encoding: chunked')
    const body = `fffffff\r\n${'a'.repeat(9_000_000)}`
    for (let i = 0; i < 3; i++) await sendRaw(url, head + body).catch(() => '')
    expect(statusOf(await sendRaw(url, lines('GET / HTTP/1.1', 'Host: 127.0.0.1', 'Connection: close')))).toBe(413)
    await close()
  })

  test('answers what a connection brought while the process could not look, before it closes that as idle', async () => {
    const listener = await listen({ fetch: async () => hello() }, { host: '127.0.0.1', port: 0 })
    const { hostname, port } = new URL(listener.url)
    const caller = connect(Number(port), hostname)
    const ask = lines('GET / HTTP/1.1', 'Host: a')
    caller.write(ask)
    await once(caller, 'data')
    const closed = listener.close()
    caller.write(ask)
    // As on a machine that is too busy to run this process: the time for idle connections is over when it runs again.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
    const [answer] = await once(caller, 'data')
    expect(statusOf(String(answer))).toBe(200)
    await closed
  })

  test('cuts the connection when the app fails, and shows nothing of the error', async () => {
    const listener = await listen(
      { fetch: () => Promise.reject(new Error('a secret of the program')) },
      { host: '127.0.0.1', port: 0 },
    )
    expect(await sendRaw(listener.url, lines('GET / HTTP/1.1', 'Host: a'))).toBe('')
    await listener.close()
  })

  test('has the timeouts that keep slow callers from holding it', async () => {
    const { server, close } = await listen({ fetch: async () => hello() }, { host: '127.0.0.1', port: 0 })
    expect(server).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 5_000,
      maxConnections: 12_000,
    })
    await close()
  })
})
