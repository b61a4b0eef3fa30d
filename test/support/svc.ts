import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** The answer to `--json`. */
  readonly json: Record<string, unknown>
}

export type Settings = Readonly<Record<string, string>>

/** Environment of a test process: nothing of the developer's own settings. */
export const environment = (settings: Settings): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  TZ: 'UTC',
  SVC_DRAIN_SECONDS: '0',
  ...settings,
})

export interface SpawnOptions {
  /** It tells over its channel how long its event loop did not come round. */
  readonly isWatched?: boolean
  /** Another build than the one of these sources. */
  readonly program?: string
}

/** Starts the built program; build it first. */
export const spawnSvc = (
  args: readonly string[],
  settings: Settings,
  { isWatched = false, program = '.build/svc.js' }: SpawnOptions = {},
): ChildProcess =>
  spawn(
    process.execPath,
    [...(isWatched ? ['--import', resolve('test/bench/watch-loop.mjs')] : []), resolve(program), ...args],
    { env: environment(settings), stdio: ['pipe', 'pipe', 'pipe', ...(isWatched ? ['ipc' as const] : [])] },
  )

/** Runs a command to its end. */
export async function runSvc(args: readonly string[], settings: Settings): Promise<Finished> {
  const child = spawnSvc(args, settings)
  child.stdin!.end()
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')])
  return {
    code,
    stdout,
    stderr,
    get json() {
      return JSON.parse(stdout)
    },
  }
}

/** Waits for a line of the program and returns its match. */
export async function waitForOutput(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  let seen = ''
  for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false })) {
    seen += chunk
    const match = pattern.exec(seen)
    if (match) return match
  }
  throw new Error(`The program ended without ${pattern}:\n${seen}${await text(child.stderr!)}`)
}
