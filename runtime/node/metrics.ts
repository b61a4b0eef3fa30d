import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Observe } from '../../kernel/observation.ts'
import type { Db } from '../../kernel/sql/database.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { PoolStats } from '../postgres/database.ts'

export interface MetricsOptions {
  /** Asked at each scrape for what is in the database. */
  readonly db: Db
  readonly pools: () => Readonly<Record<string, PoolStats>>
  /** Whether reads go to the replica now; absent where none is configured. */
  readonly isReplicaUsed?: (() => boolean) | undefined
  /** Lines so far that the output of the log did not take. */
  readonly linesLost?: () => number
}

export interface Metrics {
  /** Counts. Every label comes from the registry or the route table, so the number of series is bounded. */
  readonly observe: Observe
  /** Everything in the text format of Prometheus. */
  text(): Promise<string>
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST'])
/** Gauges of the package that are named like counters, which `promtool check metrics` refuses. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

/** Figures of one process: calls, requests, pools, the mail queue, jobs, the replica, sockets, the event loop, memory. */
export function createMetrics({ db, pools, isReplicaUsed, linesLost = () => 0 }: MetricsOptions): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  const calls = new Counter({
    name: 'svc_rpc_requests_total',
    help: 'RPC calls by model, method and outcome.',
    labelNames: ['model', 'method', 'code'],
    registers,
  })
  const durations = new Histogram({
    name: 'svc_rpc_duration_seconds',
    help: 'Time from the arrival of an RPC call to its outcome.',
    labelNames: ['model', 'method'],
    buckets: SECONDS,
    registers,
  })
  const requests = new Counter({
    name: 'svc_http_requests_total',
    help: 'HTTP requests by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const limited = new Counter({
    name: 'svc_rate_limited_total',
    help: 'Requests refused with 429.',
    labelNames: ['route'],
    registers,
  })
  const mails = new Counter({
    name: 'svc_mails_total',
    help: 'What became of mails, each time one was tried.',
    labelNames: ['outcome'],
    registers,
  })
  const jobs = new Counter({
    name: 'svc_jobs_total',
    help: 'Runs of scheduled jobs by outcome.',
    labelNames: ['outcome'],
    registers,
  })
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
  const lookAtMail = watchMail(registers, db)
  const lookAtJobs = watchJobs(registers, db)
  return {
    observe(observation) {
      if (observation.kind === 'rpc') {
        const { model, method, code, ms } = observation
        calls.inc({ model, method, code })
        durations.observe({ model, method }, ms / 1_000)
      } else if (observation.kind === 'request') {
        const { path: route, status } = observation
        const method = METHODS.has(observation.method) ? observation.method : 'other'
        requests.inc({ method, route, status })
        if (status === 429) limited.inc({ route })
      } else if (observation.kind === 'mail') {
        mails.inc({ outcome: observation.outcome })
      } else if (observation.kind === 'job') {
        jobs.inc({ outcome: observation.outcome })
      } else if (observation.kind === 'replica') {
        replicaReads.inc({ outcome: observation.outcome })
      } else if (observation.kind === 'sockets') {
        sockets.set(observation.open)
      } else if (observation.kind === 'bus') {
        messages.inc(observation.messages)
        lags.observe(observation.ms / 1_000)
      }
    },
    async text() {
      lookAtPools()
      await Promise.all([lookAtMail(), lookAtJobs()])
      return registry.metrics()
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

const WAITING = ['queued', 'sending'] as const

/** One query at each scrape. While it fails, these figures are left out and the others are still reported. */
function watchMail(registers: Registry[], db: Db): () => Promise<void> {
  const size = new Gauge({
    name: 'svc_mail_queue_size',
    help: 'Mails that are still to be sent.',
    labelNames: ['state'],
    registers,
  })
  const age = new Gauge({
    name: 'svc_mail_queue_age_seconds',
    help: 'Age of the oldest mail that is still to be sent.',
    registers,
  })
  return async () => {
    const rows = await waitingMail(db).catch(() => null)
    for (const state of WAITING) {
      size.set({ state }, rows === null ? Number.NaN : (rows.find((row) => row.state === state)?.size ?? 0))
    }
    age.set(rows === null ? Number.NaN : Math.max(0, ...rows.map((row) => row.age)))
  }
}

async function waitingMail(db: Db) {
  const { rows } = await sql<{ state: string; size: number; age: number }>`
    select state, count(*)::int as size, extract(epoch from now() - min(created_at))::float8 as age
    from sys_mail where state in ('queued', 'sending') group by state`.execute(db)
  return rows
}

/** As above. */
function watchJobs(registers: Registry[], db: Db): () => Promise<void> {
  const failing = new Gauge({
    name: 'svc_jobs_failing',
    help: 'Scheduled jobs whose last runs have failed.',
    registers,
  })
  return async () => {
    failing.set(await failingJobs(db).catch(() => Number.NaN))
  }
}

async function failingJobs(db: Db): Promise<number> {
  const { rows } = await sql<{ failing: number }>`
    select count(*)::int as failing from sys_cron where active and failures > 0`.execute(db)
  return rows[0]?.failing ?? 0
}
