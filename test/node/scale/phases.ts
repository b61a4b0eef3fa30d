import { setTimeout as sleep } from 'node:timers/promises'
import { until } from './children.ts'
import type { Clients } from './clients.ts'
import type { Cluster } from './cluster.ts'
import { longestGap, type PhaseFigures } from './report.ts'
import type { Services } from './services.ts'

/** What a phase may do harm to. */
export interface Parts {
  readonly cluster: Cluster
  readonly services: Services
  readonly clients: Clients
}

export interface Phase {
  readonly name: string
  /** Does the harm and heals it. */
  run(parts: Parts): Promise<void>
}

/** Records that are created before, during and after a harm. */
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
  {
    name: 'rolling restart',
    async run({ services, clients }) {
      for (const index of services.ports.keys()) {
        await services.restart(index, 'SIGTERM')
        await clients.some(SOME)
      }
    },
  },
]

/** Runs a phase under load and looks at what its clients saw. */
export async function runPhase({ name, run }: Phase, parts: Parts): Promise<PhaseFigures> {
  const { clients, services } = parts
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

/** What was never heard after all is found at the end. */
async function everythingHeard({ created, pages }: Clients): Promise<void> {
  const records = created.map(({ record }) => record)
  const end = performance.now() + HEARD_MS
  while (performance.now() < end && pages.some(({ heard }) => records.some((record) => !heard.has(record))))
    await sleep(50)
}
