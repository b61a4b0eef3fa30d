import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unavailable } from '../../kernel/errors.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { createLineWriter } from '../../runtime/node/log/line-writer.ts'
import { createLog, type LogEntry, type LogOptions } from '../../runtime/node/log/log.ts'
import { createLogStore } from '../../runtime/node/log/log-store.ts'
import { connectDatabase } from '../../runtime/postgres/database.ts'
import { redact } from '../../runtime/redact.ts'
import { baseTemplate } from '../support/base-database.ts'
import { expectCpuBelow } from '../support/cpu-time.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

const TOKEN = 'q7Rk2vXz9LmN4pTb6WcY8sDf1GhJ3aKeU5iO0rEtZxC'

describe('what is hidden', () => {
  test.each([
    [`sk_${'aB3'.repeat(16)}z`, 'sk_[hidden]'],
    ['Authorization: Bearer abc.def', 'Authorization: [hidden]'],
    ['authorization=Basic dXNlcjpwYXNz', 'authorization= [hidden]'],
    ['a bearer abc', 'a bearer [hidden]'],
    ['Cookie: a=b; svc_session=x\nnext', 'Cookie: [hidden]\nnext'],
    ['svc_session=short; theme=dark', 'svc_session=[hidden]; theme=dark'],
    ['csrf_token=short&login=ann', 'csrf_token=[hidden]&login=ann'],
    ['{"login":"ann","password":"it\'s \\"quoted\\" here","x":1}', '{"login":"ann","password":"[hidden]","x":1}'],
    ['{\\"new_password\\":\\"hunter2\\"}', '{\\"new_password\\":\\"[hidden]\\"}'],
    ["password='two words'", "password='[hidden]'"],
    ['/web/reset?token=abc', '/web/reset?token=[hidden]'],
    [`link ${TOKEN}.`, 'link [hidden].'],
    ['eyJhbGciOiJkaXIifQ..iv.text.tag', '[hidden]'],
    ['$scrypt$ln=15,r=8,p=3$salt$hash', '[hidden]'],
    ['postgresql://erp:pw@db/erp', 'postgresql://erp:[hidden]@db/erp'],
  ])('%j becomes %j', (text, expected) => {
    expect(redact(text)).toBe(expected)
  })

  test.each([
    'duplicate key value violates unique constraint "core_user_company_ids_rel_source_id_target_id_key"',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    'at handle (kernel/serve/serve.ts:52:18)',
    'unexpected token in line 3',
  ])('%j stays', (text) => {
    expect(redact(text)).toBe(text)
  })

  test('control characters and broken ones are replaced', () => {
    expect(redact('a\u001b[31m\0b\ud800c\r\n\td')).toBe('a\ufffd[31m\ufffdb\ufffdc\ufffd\n\td')
  })

  test('takes time in proportion to the text, whatever it is', async () => {
    for (const piece of ['password', 'password=', '"token":"', '://a:', 'eyJ', 'sk_', 'cookie:', '\\"', 'Aa', ' = ']) {
      await expectCpuBelow(1_000, () => redact(piece.repeat(200_000)))
    }
  })
})

describe('a line', () => {
  function collect(options: Partial<LogOptions> = {}) {
    const lines: string[] = []
    const entries: LogEntry[] = []
    const clock = () => new Date('2030-01-02T03:04:05.678Z')
    const log = createLog({ level: 'info', format: 'pretty', write: (line) => lines.push(line), clock, ...options })
    log.keepIn((entry) => entries.push(entry))
    return { log, lines, entries }
  }
  const request = { kind: 'request', requestId: 'r1', method: 'POST', path: '/api/rpc', userId: 7, code: null } as const

  test('has level, time, request, user and message', () => {
    const { log, lines } = collect()
    log.observe({ ...request, status: 403, ms: 12.4, code: 'ACCESS_DENIED' })
    expect(lines).toEqual(['2030-01-02T03:04:05.678Z info  POST /api/rpc 403 12 ms request=r1 user=7'])
    const json = collect({ format: 'json' })
    json.log.observe({ ...request, status: 403, ms: 12.4, code: 'ACCESS_DENIED' })
    expect(JSON.parse(json.lines[0]!)).toEqual({
      time: '2030-01-02T03:04:05.678Z',
      level: 'info',
      source: 'request',
      text: 'POST /api/rpc 403 12 ms',
      requestId: 'r1',
      userId: 7,
      method: 'POST',
      path: '/api/rpc',
      status: 403,
      ms: 12,
      code: 'ACCESS_DENIED',
    })
  })

  test('is written at level info for refused or slow requests, and at level debug for others', () => {
    const levels = (observation: { status: number; ms: number; path?: string }) => {
      const { log, entries } = collect({ level: 'debug' })
      log.observe({ ...request, ...observation })
      return entries[0]!.level
    }
    expect(levels({ status: 200, ms: 5 })).toBe('debug')
    expect(levels({ status: 404, ms: 5 })).toBe('info')
    expect(levels({ status: 200, ms: 1_500 })).toBe('warn')
    expect(levels({ status: 503, ms: 5, path: '/api/ready' })).toBe('debug')
    expect(levels({ status: 499, ms: 5 })).toBe('debug')
    expect(levels({ status: 499, ms: 1_500 })).toBe('info')
    const { log, lines } = collect()
    log.observe({ ...request, status: 200, ms: 5 })
    expect(lines).toEqual([])
  })

  test('says that a client left before its answer', () => {
    const { log, lines } = collect()
    log.observe({ ...request, status: 499, ms: 1_500 })
    expect(lines[0]).toContain('info  POST /api/rpc client left after 1500 ms request=r1 user=7')
  })

  test('of an error has the stack and the causes, in the log only and without secrets', () => {
    const { log, lines, entries } = collect()
    const cause = new Error(`connect to postgresql://erp:hunter2@db/erp with ${TOKEN}`)
    log.observe({ kind: 'failure', requestId: 'r2', error: new Error('It broke', { cause }) })
    expect(lines[0]).toMatch(/^\S+ error It broke \(connect to .*\) request=r2\n {2}Error: It broke\n {2} +at /)
    expect(lines[0]).toContain('\n  caused by Error: connect')
    expect(JSON.stringify([lines, entries])).not.toMatch(/hunter2|q7Rk2v/)
    expect(entries[0]).toMatchObject({ source: 'failure', requestId: 'r2', fields: { code: 'INTERNAL' } })
    log.observe({
      kind: 'failure',
      requestId: 'r3',
      error: unavailable('database_away', 'The database is away.', 1, cause),
    })
    expect(lines[1]!.split('\n')).toHaveLength(1)
  })

  test('cannot be forged by its content', () => {
    const { log, lines } = collect()
    log.line('warn', 'bad\n2030-01-02T03:04:05.678Z error forged\r\u001b[2J')
    expect(lines[0]!.split('\n')[1]).toMatch(/^ {2}2030/)
    expect(lines[0]).not.toContain('\u001b')
  })

  test('has a request id without a secret in it', () => {
    const { log, lines } = collect()
    log.observe({ ...request, requestId: TOKEN, status: 400, ms: 1 })
    expect(lines[0]).toContain('request=[hidden]')
  })
})

describe('the output', () => {
  test('that is not read uses limited memory, and reports later how many lines are missing', async () => {
    const pipe = new PassThrough({ highWaterMark: 1 })
    const write = createLineWriter(pipe)
    for (let i = 0; i < 50_000; i++) write('x'.repeat(1_000))
    expect(pipe.writableLength).toBeLessThan(2_000_000)
    pipe.resume()
    await expect.poll(() => pipe.writableLength).toBe(0)
    let seen = ''
    pipe.on('data', (chunk) => {
      seen += chunk
    })
    write('again')
    await expect
      .poll(() => seen)
      .toMatch(/^\n4\d{4} lines were left out: the output was blocked, or its disk full\.\nagain\n$/)
  })

  test('that fails is not an error of the service, and its lines are counted', async () => {
    const write = createLineWriter(new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) }))
    for (let i = 0; i < 10; i++) write('line')
    await expect.poll(write.lost).toBe(10)
  })

  // Only root may mount the small disk that is filled.
  test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'on a full disk is taken up again',
    async ({ skip }) => {
      const folder = await mkdtemp(join(tmpdir(), 'modulus-log-'))
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', folder], { stdio: 'ignore' })
      } catch {
        skip('This container may not mount a disk.')
      }
      try {
        const file = await open(join(folder, 'log'), 'a')
        const child = `
        const { createLineWriter } = await import(process.argv[1])
        const write = createLineWriter(process.stderr)
        for (let i = 0; i < 500; i++) write('x'.repeat(1000))
        process.stdout.write('full')
        process.stdin.once('data', () => { write('the last line'); process.stderr.write('', () => process.exit(0)) })`
        const module = join(folder, '..', `modulus-writer-${process.pid}.mjs`)
        await build({ entryPoints: ['runtime/node/log/line-writer.ts'], outfile: module, format: 'esm' })
        const writer = spawn(process.execPath, ['--input-type=module', '-e', child, module], {
          stdio: ['pipe', 'pipe', file.fd],
        })
        await once(writer.stdout!, 'data')
        await file.truncate(0)
        writer.stdin!.write('go')
        expect((await once(writer, 'exit'))[0]).toBe(0)
        // 64 KB hold only some of 500 lines of a thousand characters.
        const text = await readFile(join(folder, 'log'), 'utf8')
        expect(text).toMatch(
          /^\n4[34]\d lines were left out: the output was blocked, or its disk full\.\nthe last line\n$/,
        )
        await file.close()
        await rm(module)
      } finally {
        execFileSync('umount', [folder])
        await rm(folder, { recursive: true })
      }
    },
  )
})

describe('the store', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase(baseTemplate)
  })
  afterAll(() => database.drop())

  const entry = (more: Partial<LogEntry> = {}): LogEntry => ({
    time: new Date(),
    level: 'info',
    source: 'test',
    text: 'hello',
    requestId: null,
    userId: null,
    fields: {},
    stack: null,
    ...more,
  })
  const rows = async () =>
    (
      await sql<
        Record<string, unknown>
      >`select level, source, message, details, request_id, user_id from sys_log order by id`.execute(database.db)
    ).rows
  const clear = () => sql`delete from sys_log`.execute(database.db)

  test('writes a batch in one statement and in order, with users who still exist', async () => {
    await clear()
    const store = createLogStore(database.db)
    const { rows: users } = await sql<{ id: number }>`select min(id) as id from core_user`.execute(database.db)
    const userId = users[0]!.id
    database.statements.length = 0
    for (let i = 0; i < 100; i++) store.keep(entry({ text: `line ${i}` }))
    store.keep(entry({ level: 'warn', userId, requestId: 'r'.repeat(300), fields: { status: 500 }, stack: 'at x' }))
    store.keep(entry({ userId: 999_999 }))
    await store.close()
    expect(database.statements.filter((text) => text.includes('insert into sys_log'))).toHaveLength(1)
    const stored = await rows()
    expect(stored.slice(0, 100).map(({ message }) => message)).toEqual(
      Array.from({ length: 100 }, (_, i) => `line ${i}`),
    )
    expect(stored[100]).toEqual({
      level: 'warning',
      source: 'test',
      message: 'hello',
      details: { status: 500, stack: 'at x' },
      request_id: 'r'.repeat(128),
      user_id: userId,
    })
    expect(stored[101]).toMatchObject({ user_id: null })
  })

  test('writes entries a moment later', async () => {
    await clear()
    const store = createLogStore(database.db)
    store.keep(entry())
    await expect.poll(async () => (await rows()).length).toBe(1)
    await store.close()
  })

  test('leaves out entries beyond its rate, and stores their number', async () => {
    await clear()
    const store = createLogStore(database.db)
    const began = performance.now()
    for (let i = 0; i < 10_000; i++) store.keep(entry())
    const seconds = (performance.now() - began) / 1_000
    await store.close()
    const stored = await rows()
    expect(stored.length).toBeLessThanOrEqual(2_001 + 50 * seconds)
    const missing = stored.filter(({ source }) => source === 'log')
    expect(missing).toHaveLength(1)
    expect(missing[0]).toMatchObject({
      level: 'warning',
      message: expect.stringMatching(/^\d{4} entries were not stored/),
    })
  })

  test('neither throws nor waits while the database is unreachable', async () => {
    const away = connectDatabase({ dsn: 'postgresql://x:y@127.0.0.1:1/z', maxConnections: 1, applicationName: 'test' })
    const store = createLogStore(away.db)
    for (let i = 0; i < 5_000; i++) store.keep(entry())
    // It ends, although nothing could be stored.
    await store.close()
    await away.close()
  })
})
