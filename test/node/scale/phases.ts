import { setTimeout as sleep } from 'node:timers/promises'
import { until } from './children.ts'
import type { Clients } from './clients.ts'
import type { Cluster } from './cluster.ts'
import { buildNextRelease, isNextRelease } from './next-release.ts'
import { longestGap, type PhaseFigures } from './report.ts'
import type { Services } from './services.ts'

/** The parts that a phase may break. */
export interface Parts {
  readonly cluster: Cluster
  readonly services: Services
  readonly clients: Clients
  /** Where a phase may put files. */
  readonly folder: string
  /** The primary, past the pooler. */
  readonly dsn: string
}

export interface Phase {
  readonly name: string
  /** What it needs, before its time is taken. */
  prepare?(parts: Parts): Promise<void>
  /** Breaks something and repairs it. */
  run(parts: Parts): Promise<void>
}

/** Records that are created before, during and after a fault. */
const SOME = 20
const STEADY_MS = 10_000
const AWAY_MS = 8_000

export const PHASES: readonly Phase[] = [
  { name: 'steady', run: () => sleep(STEADY_MS) },
  { name: 'process killed', run: ({ services }) => services.restart(0, 'SIGKILL') },
  {
    name: 'replica stopped',
    async run({ cluster }) {
      const replica = await cluster.synchronous()
      await cluster.stop(replica)
      await sleep(AWAY_MS)
      cluster.start(replica)
      await cluster.whole()
    },
  },
  {
    name: 'primary killed',
    async run({ cluster, clients }) {
      const old = await cluster.primary()
      cluster.kill(old)
      await until('another primary', async () => (await cluster.primary()) !== old, 120)
      await clients.some(SOME)
      cluster.start(old)
      await cluster.whole()
    },
  },
  {
    name: 'planned switchover',
    async run({ cluster }) {
      const old = await cluster.primary()
      await cluster.switchOver()
      await until('another primary', async () => (await cluster.primary()) !== old, 120)
      await cluster.whole()
    },
  },
  {
    name: 'module installed',
    run: ({ services }) => services.run(['module', 'install', 'contacts']),
  },
  { name: 'rolling restart', run: replaceAll },
  {
    name: 'rolling upgrade',
    prepare: async ({ services, folder }) => services.use(await buildNextRelease(folder)),
    async run(parts) {
      await replaceAll(parts)
      if (!(await isNextRelease(parts.dsn))) throw new Error('The database is still the one of the release before.')
    },
  },
]

/** One process after the other. */
async function replaceAll({ services, clients }: Parts): Promise<void> {
  for (const index of services.ports.keys()) {
    await services.restart(index, 'SIGTERM')
    await clients.some(SOME)
  }
}

/** Runs a phase under load and looks at what its clients saw. */
export async function runPhase({ name, prepare, run }: Phase, parts: Parts): Promise<PhaseFigures> {
  const { clients, services } = parts
  await prepare?.(parts)
  const resyncsBefore = resyncsOf(clients)
  const from = performance.now()
  await clients.some(SOME)
  await run(parts)
  await services.ready()
  await clients.some(SOME)
  const to = performance.now()
  await everythingHeard(clients)
  const during = (at: number) => at >= from && at <= to
  const created = clients.created.filter(({ at }) => during(at))
  const calls = clients.load.replies.filter(({ startedAt, ms }) => during(startedAt + ms))
  const delays = clients.pages.flatMap(({ heard }) => created.map(({ record, at }) => (heard.get(record) ?? at) - at))
  return {
    name,
    seconds: (to - from) / 1_000,
    created: created.length,
    repeated: created.filter(({ tries }) => tries > 1).length,
    writeGapMs: longestGap(
      clients.created.map(({ at }) => at),
      from,
      to,
    ),
    callGapMs: longestGap(
      clients.load.replies.filter(({ status }) => status === 200).map(({ startedAt, ms }) => startedAt + ms),
      from,
      to,
    ),
    calls: calls.length,
    refused: calls.filter(({ status }) => status === 503).length,
    broken: calls.filter(({ status }) => status !== 200 && status !== 503).length,
    eventMs: delays.reduce((longest, ms) => Math.max(longest, ms), 0),
    resyncs: resyncsOf(clients) - resyncsBefore,
  }
}

const resyncsOf = ({ pages }: Clients): number => pages.reduce((sum, { resyncs }) => sum + resyncs, 0)

const HEARD_MS = 30_000

/** Waits until every page has got the events of all records, for a limited time: events that never came are reported at the end. */
async function everythingHeard({ created, pages }: Clients): Promise<void> {
  const records = created.map(({ record }) => record)
  const end = performance.now() + HEARD_MS
  while (performance.now() < end && pages.some(({ heard }) => records.some((record) => !heard.has(record))))
    await sleep(50)
}
