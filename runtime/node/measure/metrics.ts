import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client'
import type { Observe } from '../../../kernel/observation.ts'
import type { Db } from '../../../kernel/sql/database.ts'
import { createFigures, SECONDS } from '../../figures.ts'
import type { PoolStats } from '../../postgres/database.ts'

export interface MetricsOptions {
  /** Read at each scrape for figures about its content. */
  readonly db: Db
  readonly pools: () => Readonly<Record<string, PoolStats>>
  /** Whether reads go to the replica now; absent where none is configured. */
  readonly isReplicaUsed?: (() => boolean) | undefined
  /** Number of log lines that the output did not take so far. */
  readonly linesLost?: () => number
}

export interface Metrics {
  /** Counts. Every label comes from the registry or the route table, so the number of series is bounded. */
  readonly observe: Observe
  /** Everything in the text format of Prometheus. */
  text(): Promise<string>
}

/** Gauges of the package that are named like counters, which `promtool check metrics` refuses. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

/** Figures of one process: calls, requests, pools, the mail queue, jobs, the replica, sockets, the event loop, memory. */
export function createMetrics({ db, pools, isReplicaUsed, linesLost = () => 0 }: MetricsOptions): Metrics {
  const figures = createFigures()
  const { registry } = figures
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  const replicaReads = new Counter({
    name: 'svc_replica_reads_total',
    help: 'Reads that may go to the read replica, by who answered and why.',
    labelNames: ['outcome'],
    registers,
  })
  if (isReplicaUsed) watchReplica(registers, isReplicaUsed)
  watchLog(registers, linesLost)
  const sockets = new Gauge({ name: 'svc_bus_sockets', help: 'Open sockets for live events.', registers })
  const messages = new Counter({
    name: 'svc_bus_messages_total',
    help: 'Messages sent to sockets.',
    registers,
  })
  const lags = new Histogram({
    name: 'svc_bus_lag_seconds',
    help: 'Time from the writing of an event to its sending, for the oldest of those sent together.',
    buckets: SECONDS,
    registers,
  })
  const lookAtPools = watchPools(registers, pools)
  return {
    observe(observation) {
      figures.observe(observation)
      if (observation.kind === 'replica') {
        replicaReads.inc({ outcome: observation.outcome })
      } else if (observation.kind === 'sockets') {
        sockets.set(observation.open)
      } else if (observation.kind === 'bus') {
        messages.inc(observation.messages)
        lags.observe(observation.ms / 1_000)
      }
    },
    text() {
      lookAtPools()
      return figures.text(db)
    },
  }
}

function watchReplica(registers: Registry[], isUsed: () => boolean): void {
  new Gauge({
    name: 'svc_replica_used',
    help: '1 while reads go to the read replica, 0 while the primary answers them all.',
    registers,
    collect() {
      this.set(isUsed() ? 1 : 0)
    },
  })
}

function watchLog(registers: Registry[], lost: () => number): void {
  new Counter({
    name: 'svc_log_lines_lost_total',
    help: 'Lines of the log that its output did not take.',
    registers,
    collect() {
      this.reset()
      this.inc(lost())
    },
  })
}

function watchPools(registers: Registry[], pools: MetricsOptions['pools']): () => void {
  const connections = new Gauge({
    name: 'svc_db_pool_connections',
    help: 'Open database connections.',
    labelNames: ['pool', 'state'],
    registers,
  })
  const waiting = new Gauge({
    name: 'svc_db_pool_waiting',
    help: 'Callers that wait for a database connection.',
    labelNames: ['pool'],
    registers,
  })
  return () => {
    for (const [pool, stats] of Object.entries(pools())) {
      connections.set({ pool, state: 'idle' }, stats.idle)
      connections.set({ pool, state: 'used' }, stats.open - stats.idle)
      waiting.set({ pool }, stats.waiting)
    }
  }
}
