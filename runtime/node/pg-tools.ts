import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'

export type PgTool = 'pg_dump' | 'pg_restore'

interface Found {
  readonly path: string
  readonly major: number
}

/** Folder of Debian with the programs of each version; the path has those of one version only. */
const DEBIAN = '/usr/lib/postgresql'

/** The newest of the installed programs that is at least as new as the server; PostgreSQL's tools refuse newer servers. */
export async function findPgTool(tool: PgTool, serverMajor: number): Promise<string> {
  const folders = await readdir(DEBIAN).catch(() => [])
  const paths = [tool, ...folders.map((version) => join(DEBIAN, version, 'bin', tool))]
  const found = (await Promise.all(paths.map(describe))).filter((each) => each !== undefined)
  const [best] = found.toSorted((a, b) => b.major - a.major)
  if (best !== undefined && best.major >= serverMajor) return best.path
  const has = best === undefined ? 'none is installed' : `the newest here is of version ${best.major}`
  throw new Error(
    `${tool} of PostgreSQL ${serverMajor} or newer is needed, and ${has}. Install the client programs of that version (postgresql-client-${serverMajor}).`,
  )
}

async function describe(path: string): Promise<Found | undefined> {
  const output = await promisify(execFile)(path, ['--version']).catch(() => undefined)
  const major = /\b(\d+)(\.|devel|beta|rc)/.exec(output?.stdout ?? '')?.[1]
  return major === undefined ? undefined : { path, major: Number(major) }
}

export interface ToolRun {
  readonly tool: string
  readonly args: readonly string[]
  readonly dsn: string
  /** File descriptor for standard output; without it the output is ignored. */
  readonly out?: number
}

/** Runs a tool on a database to its end; throws with its message if it fails. The password is not passed as an argument, which other users could see. */
export async function runPgTool({ tool, args, dsn, out }: ToolRun): Promise<void> {
  const { address, password } = splitPassword(dsn)
  const child = spawn(tool, [...args, `--dbname=${address}`], {
    env: { ...process.env, ...(password !== '' && { PGPASSWORD: password }) },
    stdio: ['ignore', out ?? 'ignore', 'pipe'],
  })
  await toItsEnd(tool, child, child.stderr as Readable)
}

/** What a tool prints about a file. */
export async function readPgTool(tool: string, args: readonly string[]): Promise<string> {
  const child = spawn(tool, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [printed] = await Promise.all([text(child.stdout), toItsEnd(tool, child, child.stderr)])
  return printed
}

async function toItsEnd(tool: string, child: ChildProcess, errors: Readable): Promise<void> {
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  const words = await text(errors)
  if ((await ended) !== 0) throw new Error(`${tool} failed:\n${words.trim()}`)
}

function splitPassword(dsn: string): { readonly address: string; readonly password: string } {
  const url = new URL(dsn)
  const password = decodeURIComponent(url.password)
  url.password = ''
  return { address: url.href, password }
}
