import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../../../runtime/node/embedded/postgres-cluster.ts'
import type { Account } from '../../../runtime/node/embedded/unprivileged.ts'

export interface StartOptions {
  readonly account?: Account | undefined
  readonly env?: NodeJS.ProcessEnv
}

/** Every process of the rig. Each writes what it says into a file of the folder. */
export interface Children {
  start(name: string, program: string, args: readonly string[], options?: StartOptions): ChildProcess
  /** Another one that ends with the rig, after those that were started here; it is found again when the rig ends. */
  keep(find: () => number): void
  /** Ends all of them at once, as a power cut does: what they have is thrown away. */
  endAll(): void
}

export function openChildren(folder: string): Children {
  const pids = new Set<number>()
  const finders: (() => number)[] = []
  return {
    start(name, program, args, { account, env } = {}) {
      const log = openSync(join(folder, `${name}.log`), 'a')
      const child = spawn(program, args, {
        ...account,
        env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: folder, ...env },
        cwd: folder,
        stdio: ['ignore', log, log],
      })
      child.on('error', (error) => console.error(`${name}: ${error.message}`))
      const { pid } = child
      if (pid === undefined) return child
      pids.add(pid)
      // Its number may be another's from then on.
      child.once('exit', () => pids.delete(pid))
      return child
    },
    keep: (find) => void finders.push(find),
    endAll() {
      for (const pid of pids) killTree(pid)
      pids.clear()
      for (const find of finders.splice(0)) killTree(find())
    },
  }
}

/** Of a process as long as it runs. */
export const pidOf = ({ pid, exitCode, signalCode }: ChildProcess): number =>
  exitCode === null && signalCode === null ? (pid ?? 0) : 0

/** The first process first, so that it starts no others. */
export function killTree(pid: number): void {
  if (pid <= 1) return
  const below = childrenOf(pid)
  if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  for (const child of below) killTree(child)
}

/** By `/proc`, which has the parent of each process after its name and state. */
function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number)
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1])
  } catch {
    return undefined
  }
}

/** What is waited for will never come. */
export class Ended extends Error {}

/** Waits for a state of the parts; says what it waited for if that never comes. */
export async function until(what: string, isSo: () => Promise<boolean>, seconds = 60): Promise<void> {
  const end = performance.now() + seconds * 1_000
  const isSoYet = () =>
    isSo().catch((error) => {
      if (error instanceof Ended) throw error
      return false
    })
  while (!(await isSoYet())) {
    if (performance.now() > end) throw new Error(`It did not happen within ${seconds} s: ${what}.`)
    await sleep(100)
  }
}
