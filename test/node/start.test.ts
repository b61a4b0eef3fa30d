import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { build } from '../../runtime/build/build.mjs'
import { stopServer } from '../../runtime/node/postgres-cluster.ts'
import { runSvc, spawnSvc, waitForOutput } from '../support/svc.ts'

let folder: string
const children: ChildProcess[] = []

beforeAll(async () => {
  await build()
  folder = await mkdtemp(join(tmpdir(), 'modulus-start-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(async () => {
  await stopServer(join(folder, 'postgres'))
  await rm(folder, { recursive: true, force: true })
})

const settings = () => ({ SVC_DATA_DIR: folder, SVC_HTTP_PORT: '0' })

interface Started {
  readonly child: ChildProcess
  readonly url: string
}

async function start(): Promise<Started> {
  const child = spawnSvc(['serve'], settings())
  children.push(child)
  const [, url] = await waitForOutput(child, /ready at (\S+)[\s\S]*npx svc (init|key)/)
  return { child, url: url! }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const closed = once(child, 'exit')
  child.kill(signal)
  const [code] = await closed
  return code
}

const rpc = async (url: string, key: string) => {
  const response = await fetch(`${url}/api/rpc`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'core.company', method: 'search_read', args: [[], ['name']] }),
  })
  return (await response.json()) as { ok: boolean; result: { name: string }[] }
}

const isGone = (path: string) =>
  stat(path).then(
    () => false,
    () => true,
  )

test('start, set up, stop, start again, kill, start again: the data is there each time and nothing is left running', async () => {
  const first = await start()
  expect(await (await fetch(`${first.url}/api/health`)).json()).toEqual({ ok: true })
  expect((await fetch(`${first.url}/api/ready`)).status).toBe(200)
  expect(((await stat(join(folder, 'dsn'))).mode & 0o777).toString(8)).toBe('600')
  const init = ['init', '--company', 'Acme', '--login', 'admin', '--password', 'a horse of another colour', '--json']
  expect((await runSvc(init, settings())).json).toMatchObject({ ok: true })
  const { key } = (await runSvc(['key', 'create', '--login', 'admin', '--name', 'k', '--json'], settings())).json as {
    key: string
  }
  expect(await rpc(first.url, key)).toMatchObject({ ok: true, result: [{ name: 'Acme' }] })

  expect(await end(first.child, 'SIGTERM')).toBe(0)
  expect(await isGone(join(folder, 'dsn'))).toBe(true)
  expect(await isGone(join(folder, 'postgres/data/postmaster.pid'))).toBe(true)

  const second = await start()
  expect(await rpc(second.url, key)).toMatchObject({ ok: true, result: [{ name: 'Acme' }] })
  expect(await end(second.child, 'SIGKILL')).toBeNull()

  const third = await start()
  expect(await rpc(third.url, key)).toMatchObject({ ok: true, result: [{ name: 'Acme' }] })
  expect(await end(third.child, 'SIGINT')).toBe(0)
  expect(await isGone(join(folder, 'postgres/data/postmaster.pid'))).toBe(true)
})

test('with --json a start answers with one object and keeps running', async () => {
  const child = spawnSvc(['serve', '--json'], settings())
  children.push(child)
  const [line] = await waitForOutput(child, /^\{.*\}$/m)
  const { ok, url } = JSON.parse(line!) as { ok: boolean; url: string }
  expect(ok).toBe(true)
  expect((await fetch(`${url}/api/ready`)).status).toBe(200)
  expect(await end(child, 'SIGTERM')).toBe(0)
})

test('a command without a running service starts the database for itself and stops it', async () => {
  expect((await runSvc(['module', 'list', '--json'], settings())).json).toMatchObject({ ok: true })
  expect(await isGone(join(folder, 'postgres/data/postmaster.pid'))).toBe(true)
})

test('a port that is taken ends the start with exit code 1 and leaves no database running', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  const { port } = blocker.address() as { port: number }
  const { code, stderr } = await runSvc(['serve'], { ...settings(), SVC_HTTP_PORT: String(port) })
  blocker.close()
  expect(code).toBe(1)
  expect(stderr).toContain('another program uses it. Set http_port')
  expect(await isGone(join(folder, 'postgres/data/postmaster.pid'))).toBe(true)
})

test('two services started at once share the database, and the last one stops it', async () => {
  const [a, b] = await Promise.all([start(), start()])
  expect(await readFile(join(folder, 'dsn'), 'utf8')).toMatch(/^postgresql:/)
  expect(await end(a.child, 'SIGTERM')).toBe(0)
  expect((await fetch(`${b.url}/api/ready`)).status).toBe(200)
  expect(await end(b.child, 'SIGTERM')).toBe(0)
  expect(await isGone(join(folder, 'postgres/data/postmaster.pid'))).toBe(true)
})

test('the service outlives its PostgreSQL: calls fail with 503 until it is started again', {
  timeout: 120_000,
}, async () => {
  const { child, url } = await start()
  const ready = async () => (await fetch(`${url}/api/ready`)).status
  expect(await ready()).toBe(200)
  const [pid] = (await readFile(join(folder, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')
  const seen = new Set<number>()
  process.kill(Number(pid), 'SIGKILL')
  await expect.poll(async () => seen.add(await ready()).has(503), { timeout: 30_000, interval: 20 }).toBe(true)
  await expect.poll(ready, { timeout: 60_000 }).toBe(200)
  expect([...seen].every((status) => status === 200 || status === 503)).toBe(true)
  expect(await end(child, 'SIGTERM')).toBe(0)
  expect(await isGone(join(folder, 'postgres/data/postmaster.pid'))).toBe(true)
})
