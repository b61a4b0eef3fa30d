import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const TICK_MS = 10

/** Fields of `/proc/<pid>/stat` from the state on; null where there is no such process, or no such file system. */
function statOf(pid: number | string): readonly string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  } catch {
    return null
  }
}

const ticks = (stat: readonly string[], ...fields: readonly number[]) =>
  fields.reduce((sum, field) => sum + Number(stat[field]), 0)

/** User and system time of a process in ms, from Linux; NaN elsewhere. */
export function processorTime(pid: number): number {
  const stat = statOf(pid)
  return stat ? ticks(stat, 11, 12) * TICK_MS : Number.NaN
}

/** The same of PostgreSQL: of its processes, and of those that have ended, whose time the first one keeps. */
export function postgresTime(pid: number): number {
  const first = statOf(pid)
  if (!first) return Number.NaN
  const children = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(name) : null
    return stat?.[1] === String(pid) ? [ticks(stat, 11, 12)] : []
  })
  return children.reduce((sum, each) => sum + each, ticks(first, 11, 12, 13, 14)) * TICK_MS
}

/** The first process of the embedded PostgreSQL. */
export const postgresPid = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
