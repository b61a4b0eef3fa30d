import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unprivilegedAccount } from '../../runtime/node/embedded/unprivileged.ts'
import { freePort, untilListening } from './ports.ts'

const FOLDERS = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin']

/** Looked for each time, since the scale rig installs it. */
const findProgram = () => FOLDERS.map((folder) => join(folder, 'pgbouncer')).find(existsSync)

/** Debian's package `pgbouncer`. */
export const hasPgBouncer = findProgram() !== undefined

export interface PgBouncer {
  readonly dsn: string
  readonly pid: number
  stop(): Promise<void>
}

export interface PgBouncerOptions {
  /** Folder for its own. */
  readonly parent?: string
  readonly settings?: Readonly<Record<string, string | number>>
}

/** A pooler that gives every transaction one of a few sessions: what a session keeps is seen by others, and lost by its client. */
export async function startPgBouncer(
  dsn: string,
  sessions: number,
  { parent = tmpdir(), settings = {} }: PgBouncerOptions = {},
): Promise<PgBouncer> {
  const { hostname, port, username, password } = new URL(dsn)
  const folder = await mkdtemp(join(parent, 'modulus-pgbouncer-'))
  await chmod(folder, 0o755)
  const listenPort = await freePort()
  const config = join(folder, 'pgbouncer.ini')
  await writeFile(
    config,
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${sessions}
max_client_conn = 200
${Object.entries(settings)
  .map(([name, value]) => `${name} = ${value}\n`)
  .join('')}`,
  )
  const child = spawn(findProgram()!, [config], { ...(await unprivilegedAccount(folder)), stdio: 'ignore' })
  const exit = once(child, 'exit')
  await untilListening(listenPort, child)
  const through = new URL(dsn)
  Object.assign(through, { hostname: '127.0.0.1', port: String(listenPort) })
  return {
    dsn: through.href,
    pid: child.pid!,
    async stop() {
      child.kill('SIGKILL')
      await exit
      await rm(folder, { recursive: true })
    },
  }
}
