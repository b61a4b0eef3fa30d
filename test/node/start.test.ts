import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { stopServer } from '../../runtime/node/embedded/postgres-cluster.ts'
import { buildOnce } from '../support/build-once.ts'
import { runSvc, spawnSvc, waitForOutput } from '../support/svc.ts'

let folder: string
const children: ChildProcess[] = []

beforeAll(async () => {
  await buildOnce()
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

const postmaster = async () =>
  Number((await readFile(join(folder, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0])

const isGone = (path: string) =>
  stat(path).then(
    () => false,
    () => true,
  )

test('a command in a folder without a database says so, and makes none', async () => {
  const elsewhere = join(folder, 'elsewhere')
  const { code, stderr } = await runSvc(['user', 'list'], { SVC_DATA_DIR: elsewhere })
  expect([code, stderr]).toEqual([1, expect.stringContaining(`(db_dsn), and ${elsewhere} has none.`)])
  await expect(stat(elsewhere)).rejects.toThrow('ENOENT')
})

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

  // With --json a start answers with one object and keeps running.
  const second = spawnSvc(['serve', '--json'], settings())
  children.push(second)
  const [line] = await waitForOutput(second, /^\{.*\}$/m)
  const { ok, url } = JSON.parse(line!) as { ok: boolean; url: string }
  expect(ok).toBe(true)
  expect(await rpc(url, key)).toMatchObject({ ok: true, result: [{ name: 'Acme' }] })
  expect(await end(second, 'SIGKILL')).toBeNull()

  const third = await start()
  expect(await rpc(third.url, key)).toMatchObject({ ok: true, result: [{ name: 'Acme' }] })
  expect(await end(third.child, 'SIGINT')).toBe(0)
  expect(await isGone(join(folder, 'postgres/data/postmaster.pid'))).toBe(true)
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

test('two services started at once share the database and outlive it, and the last one stops it', async () => {
  const [a, b] = await Promise.all([start(), start()])
  expect(await readFile(join(folder, 'dsn'), 'utf8')).toMatch(/^postgresql:/)
  const killed = await postmaster()
  process.kill(killed, 'SIGKILL')
  const seen = new Set<number>()
  const ready = async ({ url }: Started) => {
    const { status } = await fetch(`${url}/api/ready`)
    seen.add(status)
    return status
  }
  // One of the two services starts it again, perhaps before a request has noticed that it was gone.
  await expect.poll(() => postmaster().catch(() => killed), { interval: 20 }).not.toBe(killed)
  for (const each of [a, b]) await expect.poll(() => ready(each), { interval: 20 }).toBe(200)
  expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(await end(a.child, 'SIGTERM')).toBe(0)
  expect((await fetch(`${b.url}/api/ready`)).status).toBe(200)
  expect(await end(b.child, 'SIGTERM')).toBe(0)
  expect(await isGone(join(folder, 'postgres/data/postmaster.pid'))).toBe(true)
})
