import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFloor } from '../../bench/floor.ts'
import { type Children, openChildren } from './children.ts'
import { startClients } from './clients.ts'
import { findLosses } from './losses.ts'
import { PHASES, runPhase } from './phases.ts'
import { isLossless, lossLines, type PhaseFigures, phaseTable, throughputTable } from './report.ts'
import { FLOOR, type Rig, startRig } from './rig.ts'
import { SETTINGS } from './settings.ts'
import { measureThroughput } from './throughput.ts'

/** The run was interrupted. */
class Stopped extends Error {}

/** Starts every part on this machine, breaks them while clients work, and reports what the clients saw; README.md tells how to read it. */
async function main(only: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'modulus-scale-'))
  chmodSync(folder, 0o755)
  const children = openChildren(folder)
  process.once('exit', children.endAll)
  const stopped = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Stopped(`Stopped by ${signal}.`)))
  })
  let isKept = process.env['SCALE_KEEP'] !== undefined
  try {
    const nothingLost = await Promise.race([stopped, run(folder, children, only)])
    isKept ||= !nothingLost
    process.exitCode = nothingLost ? 0 : 1
  } catch (error) {
    isKept ||= !(error instanceof Stopped)
    console.error(error instanceof Stopped ? error.message : error)
    process.exitCode = 1
  } finally {
    children.endAll()
    if (isKept) console.log(`What the parts have said is in ${folder}.`)
    else rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  // Clients may still wait for answers that nobody will send any more.
  process.exit()
}

/** Whether nothing was lost. */
async function run(folder: string, children: Children, only: readonly string[]): Promise<boolean> {
  const rig = await startRig(folder, children)
  if (SETTINGS.seconds > 0) await showThroughput(rig)
  rig.endFloors()
  return showPhases(folder, rig, only)
}

async function showThroughput({ cluster, proxy, port, floorPort, keys, sessions }: Rig): Promise<void> {
  console.log(`\nCalls a second, ${SETTINGS.concurrency} at once, ${SETTINGS.seconds} s a turn:\n`)
  const target = { pid: process.pid, keys, sessions }
  const figures = await measureThroughput({
    ...{ proxy, seconds: SETTINGS.seconds, concurrency: SETTINGS.concurrency },
    service: { ...target, port },
    floor: { ...target, port: floorPort },
    postgresPid: cluster.postmaster(await cluster.primary()),
  })
  console.log(throughputTable(figures))
}

async function showPhases(folder: string, rig: Rig, only: readonly string[]): Promise<boolean> {
  const { cluster, services, port, keys, sessions, dsn } = rig
  const clients = await startClients({ ...SETTINGS, url: `http://127.0.0.1:${port}`, keys, sessions })
  const figures: PhaseFigures[] = []
  console.log()
  for (const phase of PHASES) {
    if (only.length > 0 && !only.some((word) => phase.name.includes(word))) continue
    console.log(`${phase.name} …`)
    figures.push(await runPhase(phase, { cluster, services, clients, folder, dsn }))
  }
  await clients.stop()
  const losses = await findLosses(clients, dsn)
  console.log(`\n${phaseTable(figures)}\n\n${lossLines(losses).join('\n')}`)
  return isLossless(losses)
}

const [first, ...rest] = process.argv.slice(2)
if (first === FLOOR) startFloor(rest[0]!)
else await main(first === undefined ? [] : [first, ...rest])
