import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { runDueJob } from '../../kernel/job/cron.ts'
import { compileRegistry } from '../../kernel/model/compile-registry.ts'
import { defineAddon, type Job, type Lease } from '../../kernel/module/addon.ts'
import type { ModuleState } from '../../kernel/module/state.ts'
import type { Services } from '../../kernel/services.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { startCronLoop } from '../../runtime/node/cron.ts'
import { openJobHost } from '../../runtime/node/job-host.ts'
import { connectDatabase } from '../../runtime/postgres/database.ts'
import { startTimer } from '../../runtime/timer.ts'

/**
 * A small process that runs the jobs of `test/node/cron-processes.test.ts` on a database with the addon base, and kills itself after as
 * many statements as told. drain: ends when nothing is due. race: looks without a pause. loop: as `serve` does.
 */
const [dsn = '', mode = 'drain', killAfter = '0', skewHours = '0', most = '2'] = process.argv.slice(2)
let statements = 0
const database = connectDatabase({
  dsn,
  maxConnections: 4,
  connectWaitMs: 60_000,
  applicationName: `cron-child ${process.pid}`,
  onQuery: () => {
    if (++statements === Number(killAfter)) process.kill(process.pid, 'SIGKILL')
  },
})

const effect = (handler: string, key: string) =>
  sql`insert into effect (handler, key, pid) values (${handler}, ${key}, ${process.pid}) on conflict (key) do nothing`

/** Each run inserts a new key, so that a repeated effect would be visible. */
const once =
  (name: string): Job =>
  async ({ tx }) =>
    void (await effect(name, randomBytes(8).toString('hex')).execute(tx))

const outside = (name: string): Job => ({
  kind: 'lease',
  async run({ transact, key }: Lease) {
    await transact(({ tx }) => effect(name, `${name} ${key}`).execute(tx))
  },
})

/** Waits in the middle until the test lets it go on. */
const gated: Job = {
  kind: 'lease',
  async run({ transact }) {
    await transact(({ tx }) => effect('gated', `begun ${process.pid}`).execute(tx))
    while (!(await sql<{ is_open: boolean }>`select is_open from gate`.execute(database.db)).rows[0]!.is_open)
      await sleep(20)
    await transact(({ tx }) => effect('gated', `ended ${process.pid}`).execute(tx))
  },
}

const names = (prefix: string) => Array.from({ length: Number(most) }, (_, i) => `${prefix}_${i}`)
const jobs: Record<string, Job> = { gated }
for (const name of names('tx')) jobs[name] = once(name)
for (const name of names('lease')) jobs[name] = outside(name)

const addon = defineAddon({ name: 'clock', version: '1.0', summary: 'Jobs', depends: [], models: [], jobs })
const epoch = { modules: 0, access: 0, views: 0 }
const state: ModuleState = {
  epoch,
  registry: compileRegistry([addon]),
  access: {
    epoch: 0,
    groupIdByXmlid: new Map(),
    impliedGroups: new Map(),
    lines: new Map(),
    rules: new Map(),
    ruleData: {},
  },
  views: () => Promise.reject(new Error('no views')),
  addons: [addon],
  missing: [],
  other: [],
  active: new Set(['clock']),
}
const services: Services = {
  db: database.db,
  clock: () => new Date(Date.now() + Number(skewHours) * 3_600_000),
  random: (bytes) => randomBytes(bytes),
  sleep: (ms) => sleep(ms),
  timer: startTimer,
  passwords: { hash: refuse, verify: refuse, decoy: '', isOutdated: () => false },
  observe: (observation) => {
    if (observation.kind === 'failure') process.stderr.write(`${String(observation.error)}\n`)
    if (observation.kind === 'job') process.stdout.write(`${observation.outcome} ${observation.name}\n`)
  },
  secretKey: new Uint8Array(32),
  publicUrl: null,
  Response,
  state: { current: async () => state },
  stopping: () => false,
}

function refuse(): never {
  throw new Error('There are no passwords here.')
}

const host = openJobHost(dsn)
if (mode === 'loop') {
  const loop = startCronLoop({ services, latest: async () => state, jobs: host })
  process.on('SIGTERM', () => void loop.stop(100).then(() => process.exit(0)))
  process.stdin.resume()
} else if (mode === 'race') {
  process.on('SIGTERM', () => process.exit(0))
  for (;;) await runDueJob(services, state, host)
} else {
  while ((await runDueJob(services, state, host)) !== null);
  await host.close()
  await database.close()
}
