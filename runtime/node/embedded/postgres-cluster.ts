import { execFile, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import {
  chown,
  lchown,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { explainTranscript } from '../file/file-error.ts'
import type { Account } from './unprivileged.ts'

/** Where a PostgreSQL cluster lives and how its programs are run. */
export interface Cluster {
  /** Folder of everything; the cluster itself is `data` in it. */
  readonly home: string
  /** Folder that holds `bin/postgres`. */
  readonly binaries: string
  readonly account: Account | undefined
  /** The account cannot walk to `home` (a folder above is closed to it), so it gets the folder as an open descriptor. */
  readonly isHidden: boolean
}

export interface Server {
  readonly pid: number
  readonly port: number
}

export type ClusterSettings = Readonly<Record<string, string | number>>

/** Longest wait for a server to start or stop; recovery after a crash may take long. */
const SETTLE_MS = 60_000
/** A longer log is emptied at a start. */
const LOG_BYTES = 5_000_000

const dataOf = (home: string) => join(home, 'data')

/** A name in `home`, as the account's programs reach it: below descriptor 3 if they cannot walk there. */
const pathFor = ({ home, isHidden }: Cluster, name: string) => join(isHidden ? '/proc/self/fd/3' : home, name)

/** Makes the cluster unless it exists. A draft is renamed when complete, so that a killed start leaves no incomplete cluster. */
export async function createCluster(cluster: Cluster, admin: string, password: string, sync: boolean): Promise<void> {
  const { home, account } = cluster
  if (await exists(home)) await requireSameVersion(cluster)
  else await draftCluster(cluster, admin, password, sync)
  const { uid } = await stat(dataOf(home))
  if (account && uid === 0) await giveTree(dataOf(home), account)
  for (const name of await readdir(home)) {
    const maker = /^(?:draft|password)-(\d+)-/.exec(name)?.[1]
    if (maker && !isAlive(Number(maker))) await rm(join(home, name), { recursive: true, force: true })
  }
}

const exists = (home: string) =>
  stat(dataOf(home)).then(
    () => true,
    () => false,
  )

async function draftCluster(cluster: Cluster, admin: string, password: string, sync: boolean): Promise<void> {
  const { home, account } = cluster
  if (cluster.isHidden && process.platform !== 'linux') {
    throw new Error(`${home} is closed to the account PostgreSQL runs as. Choose another data_dir, or set db_dsn.`)
  }
  const id = `${process.pid}-${randomBytes(6).toString('hex')}`
  const [draft, passwordFile] = [`draft-${id}`, `password-${id}`]
  await mkdir(join(home, draft), { mode: 0o700 })
  await writeFile(join(home, passwordFile), password, { mode: 0o600 })
  if (account) for (const name of [draft, passwordFile]) await chown(join(home, name), account.uid, account.gid)
  const args = [
    ...['-D', pathFor(cluster, draft), '-U', admin, '--pwfile', pathFor(cluster, passwordFile)],
    ...['--auth=scram-sha-256', '--encoding=UTF8', ...(await localeOptions(cluster))],
    ...['--no-instructions', ...(sync ? [] : ['--no-sync'])],
  ]
  const { child, tail } = await run(cluster, 'initdb', args)
  const code = child.exitCode ?? (await once(child, 'exit'))[0]
  await rm(join(home, passwordFile), { force: true })
  if (code === 0) await rename(join(home, draft), dataOf(home)).catch(() => undefined)
  await rm(join(home, draft), { recursive: true, force: true })
  // Another process may have created it first.
  if (!(await exists(home))) throw failureOf('could not be set up', home, await tail())
}

/** One line about a program that failed: the cause if it is known, else its error and its last output. */
function failureOf(what: string, home: string, transcript: string): Error {
  const said = [...transcript.matchAll(/(LOG|error|FATAL|PANIC): +(.*)/g)]
  const failed = said.findIndex(([, level]) => level !== 'LOG')
  const words = said.slice(Math.max(0, failed - 1), failed + 1).map(([, , text]) => text)
  const why = explainTranscript(transcript, home) ?? `${words.join('; ')}. See ${join(home, 'server.log')}.`
  return new Error(`PostgreSQL ${what}: ${why}`)
}

/** A cluster is read only by the major version that made it; PostgreSQL's own message about that does not help a user. */
async function requireSameVersion(cluster: Cluster): Promise<void> {
  const made = Number.parseInt(await readFile(join(dataOf(cluster.home), 'PG_VERSION'), 'utf8').catch(() => ''), 10)
  const own = await majorVersion(cluster)
  if (Number.isNaN(made) || made === own) return
  throw new Error(
    `${cluster.home} was made by PostgreSQL ${made}, and this program comes with PostgreSQL ${own}. ` +
      `Dump the database with the program that made it and load it into a new data_dir, or set db_dsn to a server of PostgreSQL ${made}.`,
  )
}

/** C.UTF-8, which is the same on every machine from PostgreSQL 17 on; older ones have it from the system. */
async function localeOptions(cluster: Cluster): Promise<string[]> {
  return (await majorVersion(cluster)) >= 17
    ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    : ['--locale=C.UTF-8', '--locale-provider=libc']
}

async function majorVersion({ binaries }: Cluster): Promise<number> {
  const { stdout } = await promisify(execFile)(join(binaries, 'bin/initdb'), ['--version'])
  return Number(/\d+/.exec(stdout)?.[0])
}

export async function giveTree(path: string, account: Account): Promise<void> {
  await lchown(path, account.uid, account.gid)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name)
    await (entry.isDirectory() ? giveTree(child, account) : lchown(child, account.uid, account.gid))
  }
}

export interface LaunchOptions {
  readonly port?: number | undefined
  /** Whether the server is no longer wanted, so that waiting for it ends. */
  readonly stopping?: () => boolean
}

/**
 * Starts the server, on the given port or else a free one, and waits until it accepts connections. Undefined after a temporary failure:
 * try again.
 */
export async function launchServer(
  cluster: Cluster,
  settings: ClusterSettings,
  { port: askedPort, stopping = () => false }: LaunchOptions = {},
): Promise<Server | undefined> {
  const portFile = join(cluster.home, 'port')
  const port = askedPort ?? (await freePort(Number(await readFile(portFile, 'utf8').catch(() => '0'))))
  const all = { ...settings, port, listen_addresses: '127.0.0.1', unix_socket_directories: '' }
  const args = ['-D', pathFor(cluster, 'data')]
  for (const [name, value] of Object.entries(all)) args.push('-c', `${name}=${value}`)
  const { child, tail } = await run(cluster, 'postgres', args)
  child.unref()
  while (child.exitCode === null && child.signalCode === null) {
    if (stopping()) return undefined
    const entry = await readPidFile(cluster.home)
    if (entry?.pid === child.pid && entry?.status === 'ready') {
      await writeFile(portFile, String(port))
      return { pid: entry.pid, port }
    }
    await sleep(20)
  }
  const log = await tail()
  if (PASSING.test(log) || (await findServer(cluster.home))) return undefined
  throw failureOf('did not start', cluster.home, log)
}

/** Messages of temporary failures: another start was faster, the port was taken, or processes of a killed server still run. */
const PASSING = /lock file "postmaster.pid" already exists|could not bind|pre-existing shared memory block/

/** The server of this cluster, whichever process started it, once it accepts connections. Waits for one that is starting or stopping. */
export async function findServer(home: string, stopping = () => false): Promise<Server | undefined> {
  for (const deadline = Date.now() + SETTLE_MS; Date.now() < deadline && !stopping(); await sleep(50)) {
    const entry = await readPidFile(home)
    if (!entry) return undefined
    if (!(await isServer(home, entry.pid))) {
      // The file is left over from a crash. PostgreSQL handles that, unless another program has the process id by now.
      if (isAlive(entry.pid)) await rm(join(dataOf(home), 'postmaster.pid'), { force: true })
      return undefined
    }
    if (entry.status === 'ready') return { pid: entry.pid, port: entry.port }
  }
  throw new Error(`The PostgreSQL server of this data folder neither starts nor stops${stopping() ? ' yet' : ''}.`)
}

/** Signals for a shutdown, and how long to wait after each step. */
const SHUTDOWN: readonly (readonly [signals: readonly NodeJS.Signals[], waitMs: number])[] = [
  // SIGCONT wakes a suspended server, so that it can end.
  [['SIGINT', 'SIGCONT'], 6_000],
  [['SIGQUIT'], 1_000],
]

/**
 * Fast shutdown: sessions end and data is written out. If a process of the server does not end in time, an immediate shutdown follows and
 * the next start recovers. The server itself kills such a process after five seconds; only the next start waits for that.
 */
export async function stopServer(home: string): Promise<void> {
  const entry = await readPidFile(home)
  if (!entry) return
  for (const [signals, waitMs] of SHUTDOWN) {
    if (!(await isServer(home, entry.pid))) return
    for (const signal of signals) sendSignal(entry.pid, signal)
    for (const deadline = Date.now() + waitMs; Date.now() < deadline; await sleep(20)) {
      if (!(await isServer(home, entry.pid))) return
    }
  }
}

interface PidFile extends Server {
  readonly status: string
}

/** `postmaster.pid`: process id, data folder, start time, port, socket folder, address, shared memory, status. */
async function readPidFile(home: string): Promise<PidFile | undefined> {
  const text = await readFile(join(dataOf(home), 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port, , , , status = ''] = text.split('\n')
  return Number(pid) > 0 ? { pid: Number(pid), port: Number(port), status: status.trim() } : undefined
}

/** Whether the process with this id is the server of this cluster; another program may have the id by now. */
export async function isServer(home: string, pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const [folder, data] = await Promise.all([readlink(`/proc/${pid}/cwd`), realpath(dataOf(home))]).catch(() => [])
    return folder !== undefined && folder === data
  }
  const listed = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => undefined)
  return listed?.stdout.includes(`-D ${dataOf(home)} `) ?? false
}

/** Runs a program of PostgreSQL in its own session, out of reach of Ctrl+C; `tail` is what it has logged. */
async function run({ home, binaries, account, isHidden }: Cluster, program: string, args: readonly string[]) {
  const log = await open(join(home, 'server.log'), 'a+', 0o600)
  const folder = isHidden ? await open(home) : undefined
  try {
    let { size: before } = await log.stat()
    if (before > LOG_BYTES) {
      await log.truncate()
      before = 0
    }
    const child = spawn(join(binaries, 'bin', program), args, {
      ...account,
      cwd: '/',
      env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
      detached: true,
      stdio: ['ignore', log.fd, log.fd, ...(folder ? [folder.fd] : [])],
    })
    await once(child, 'spawn')
    const tail = async () => (await readFile(join(home, 'server.log'))).subarray(before).toString().trim()
    return { child, tail }
  } finally {
    await log.close()
    await folder?.close()
  }
}

/** Below the ports of outgoing connections, one of which could take the port while the server is restarted. */
const PORTS = { first: 20_000, last: 32_000 }

/** A free port, the preferred one if possible, so that the port stays the same from start to start. */
async function freePort(preferred: number): Promise<number> {
  const tries = Array.from({ length: 20 }, () => randomInt(PORTS.first, PORTS.last))
  for (const port of preferred === 0 ? tries : [preferred, ...tries]) if (await isFree(port)) return port
  throw new Error('PostgreSQL found no free port.')
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    const listening = once(probe, 'listening')
    probe.listen(port, '127.0.0.1')
    await listening
    return true
  } catch {
    return false
  } finally {
    probe.close()
  }
}

/** Sends a signal to a process that may have ended already. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Whether a process with this id exists, also one of another user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
