import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { installModules } from '../../kernel/module/install.ts'
import { migrateKernel } from '../../kernel/schema/migrate.ts'
import { kernelMigrations } from '../../migrations/index.ts'
import { build } from '../../runtime/build.mjs'
import { connectDatabase } from '../../runtime/database.ts'
import { startLoad } from '../support/ledger.ts'
import { openModules } from '../support/modules.ts'
import { type OwnPostgres, startOwnPostgres, untilReachable } from '../support/own-postgres.ts'
import { openRpcClient, type Reply, type RpcClient } from '../support/rpc-client.ts'
import { createServiceKey, type Service, startService } from '../support/service.ts'
import type { Settings } from '../support/svc.ts'

const ROUNDS = process.env['SOAK'] ? 20 : 3

let postgres: OwnPostgres
let key: string
const opened: { service: Service; client: RpcClient }[] = []

beforeAll(async () => {
  const started = performance.now()
  await build()
  postgres = await startOwnPostgres()
  console.log('pg', performance.now() - started)
  const { db, close } = connectDatabase({ dsn: postgres.dsn, maxConnections: 2, applicationName: 'test' })
  await migrateKernel(db, kernelMigrations)
  const { services, catalogue } = openModules(db, bundledAddons)
  await installModules(services, catalogue, ['base'])
  key = await createServiceKey(db)
  await close()
  console.log('ready', performance.now() - started)
}, 120_000)
afterEach(async () => {
  for (const { service, client } of opened.splice(0)) {
    client.close()
    await service.end('SIGKILL')
  }
})
afterAll(() => postgres?.remove())

async function open(dsn = postgres.dsn, settings: Settings = {}) {
  const service = await startService(dsn, settings)
  const client = openRpcClient(service.url, key)
  opened.push({ service, client })
  return { service, client }
}

test('restart', { timeout: 60_000 }, async () => {
  let t = performance.now()
  const { service, client } = await open()
  console.log('start', performance.now() - t)
  const load = await startLoad(client, { writers: 4, readers: 3 })
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(700)
    t = performance.now()
    await postgres.crash()
    const reach = untilReachable(postgres.dsn)
    const t1 = performance.now()
    await postgres.start()
    console.log('crash', t1 - t, 'start', performance.now() - t1, 'reach', (await reach) - t1)
  }
  await sleep(500)
  await load.stop()
  const by = new Map<string, number>()
  for (const r of load.replies) {
    const k = `${r.status} ${r.fault} ${r.body?.error?.code} ${r.headers['retry-after']} ${r.body?.error?.message}`
    by.set(k, (by.get(k) ?? 0) + 1)
  }
  console.log(by, load.acknowledged, load.contradictions, Math.max(...load.replies.map((r) => r.ms)))
  console.log(load.replies.filter((r) => r.ms > 500).map((r) => [r.status, Math.round(r.ms), r.body?.error?.message]))
  console.log(service.log().length)
})
