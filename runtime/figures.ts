import Counter from 'prom-client/lib/counter.js'
import Gauge from 'prom-client/lib/gauge.js'
import Histogram from 'prom-client/lib/histogram.js'
import Registry from 'prom-client/lib/registry.js'
import type { Observe } from '../kernel/observation.ts'
import type { Db } from '../kernel/sql/database.ts'
import { sql } from '../kernel/sql/sql.ts'

/** Metrics that every host has. */
export interface Figures {
  /** A host adds its own here. */
  readonly registry: Registry
  /** Counts. Every label comes from the registry or the route table, so the number of series is bounded. */
  readonly observe: Observe
  /** Everything in the text format of Prometheus; figures about the database are read from `db`. */
  text(db: Db): Promise<string>
}

export const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST'])

/** Calls, requests, mails and jobs, as one process or isolate has seen them. Only parts of the package are imported: all of it would need more of Node than workerd has. */
export function createFigures(): Figures {
  const registry = new Registry()
  const registers = [registry]
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
  const lookAtMail = watchMail(registers)
  const lookAtJobs = watchJobs(registers)
  return {
    registry,
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
      }
    },
    async text(db) {
      await Promise.all([lookAtMail(db), lookAtJobs(db)])
      return registry.metrics()
    },
  }
}

const WAITING = ['queued', 'sending'] as const

/** One query at each scrape. While it fails, these figures are left out and the others are still reported. */
function watchMail(registers: Registry[]): (db: Db) => Promise<void> {
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
  return async (db) => {
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

/** Like `watchMail`, for scheduled jobs. */
function watchJobs(registers: Registry[]): (db: Db) => Promise<void> {
  const failing = new Gauge({
    name: 'svc_jobs_failing',
    help: 'Scheduled jobs whose last runs have failed.',
    registers,
  })
  return async (db) => {
    failing.set(await failingJobs(db).catch(() => Number.NaN))
  }
}

async function failingJobs(db: Db): Promise<number> {
  const { rows } = await sql<{ failing: number }>`
    select count(*)::int as failing from sys_cron where active and failures > 0`.execute(db)
  return rows[0]?.failing ?? 0
}
