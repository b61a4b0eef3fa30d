import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { build } from '../../runtime/build.mjs'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { startLoad } from '../support/ledger.ts'
import { withClient } from '../support/own-postgres.ts'
import { openRpcClient, type Reply, type RpcClient } from '../support/rpc-client.ts'
import { createServiceKey, type Service, serviceSettings, startService } from '../support/service.ts'
import { runSvc } from '../support/svc.ts'

const isSoak = process.env['SOAK'] !== undefined

let database: TestDatabase
let key: string
const services: Service[] = []
const clients: RpcClient[] = []

beforeAll(async () => {
  await build()
  database = await createDatabase(baseTemplate)
  key = await createServiceKey(database.db)
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  for (const service of services.splice(0)) await service.end('SIGKILL')
})
afterAll(() => database?.drop())

async function start(): Promise<{ service: Service; client: RpcClient }> {
  const service = await startService(database.dsn)
  const client = openRpcClient(service.url, key)
  services.push(service)
  clients.push(client)
  return { service, client }
}

const tally = (replies: readonly Reply[]) => {
  const counts: Record<string, number> = {}
  for (const { status, fault } of replies) {
    const outcome = fault ?? String(status)
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

test('SIGTERM under load', { timeout: 60_000 }, async () => {
  for (let i = 0; i < 5; i++) {
    const { service, client } = await start()
    const load = await startLoad(client, { writers: 8, readers: 8 })
    await sleep(400)
    const n = load.replies.length
    const exit = await service.end('SIGTERM')
    await sleep(50)
    const { client: other } = await start()
    load.use(other)
    await load.stop()
    console.log(
      exit,
      tally(load.replies.slice(0, n)),
      tally(load.replies.slice(n)),
      load.contradictions,
      load.acknowledged,
    )
  }
})

test('second SIGTERM', async () => {
  const { service, client } = await start()
  const { body } = await client.rpc({ model: 'core.tag', method: 'create', args: [{ name: 'held' }] })
  await withClient(database.dsn, async (other) => {
    await other.query('begin; lock table core_tag')
    const waiting = client.rpc({ model: 'core.tag', method: 'write', args: [[body!.result], { color: 1 }] })
    await sleep(300)
    const t = performance.now()
    const exit = service.end('SIGTERM')
    await sleep(300)
    console.log(await service.end('SIGTERM'), await waiting, performance.now() - t)
    await exit
  })
})
