import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { createServiceKey, type Service, startService } from '../support/service.ts'

/** A span as record-spans.mjs writes it. */
interface Span {
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly start: number
  readonly end: number
  readonly error: boolean
  readonly id: string
  readonly trace: string
  readonly parent: string | null
}

let database: TestDatabase
let folder: string
let key: string
let service: Service | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modulus-spans-'))
  database = await createDatabase(baseTemplate)
  key = await createServiceKey(database.db)
  await buildOnce()
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

/** A service with an SDK, and the spans it has been given. */
async function start(settings: Readonly<Record<string, string>>) {
  await service?.end('SIGKILL')
  const file = join(folder, `${Object.keys(settings).join()}.txt`)
  const sdk = `--import ${resolve('test/support/record-spans.mjs')}`
  service = await startService(database.dsn, { NODE_OPTIONS: sdk, SPANS: file, ...settings })
  return async (): Promise<readonly Span[]> => {
    const text = await readFile(file, 'utf8').catch(() => '')
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  }
}

const CALLER = { trace: 'a'.repeat(32), span: 'b'.repeat(16) }

const search = () =>
  fetch(`${service!.url}/api/rpc`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': key,
      'x-request-id': 'traced-1',
      traceparent: `00-${CALLER.trace}-${CALLER.span}-01`,
    },
    body: JSON.stringify({ model: 'core.partner', method: 'search_read', args: [[], ['name']] }),
  })

test('with otel a request is a span inside that of its caller, and its phases are spans inside it', async () => {
  const spans = await start({ SVC_OTEL: '1' })
  const answer = await search()
  expect([answer.status, answer.headers.get('server-timing')]).toEqual([200, null])
  const all = (await spans()).filter(({ trace }) => trace === CALLER.trace)
  const [request] = all.filter(({ parent }) => parent === CALLER.span)
  expect(request).toMatchObject({
    name: 'POST /api/rpc',
    error: false,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/rpc',
      'http.response.status_code': 200,
      'modulus.call': 'core.partner.search_read',
      'modulus.request_id': 'traced-1',
    },
  })
  const phases = all.filter(({ parent }) => parent === request!.id)
  expect(phases.map(({ name }) => name)).toEqual(expect.arrayContaining(['auth', 'parse', 'sql', 'serialise']))
  for (const { start, end } of phases) {
    expect(start).toBeGreaterThanOrEqual(request!.start)
    expect(end).toBeLessThanOrEqual(request!.end)
  }
  await fetch(`${service!.url}/api/nothing`)
  expect((await spans()).at(-1)).toMatchObject({ parent: null, error: false })
})

test('with trace beside it the answer tells its times too, and without otel there is no span', async () => {
  const both = await start({ SVC_OTEL: '1', SVC_TRACE: '1' })
  expect((await search()).headers.get('server-timing')).toMatch(/sql;dur=/)
  expect((await both()).length).toBeGreaterThan(0)
  const none = await start({ SVC_TRACE: '0' })
  await search()
  expect(await none()).toEqual([])
})
