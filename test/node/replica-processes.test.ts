import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { Agent } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { openModules } from '../support/modules.ts'
import { type Replicated, startReplicated } from '../support/replica.ts'
import { type Service, serviceSettings, startService } from '../support/service.ts'
import { repeats } from '../support/soak.ts'
import { runSvc } from '../support/svc.ts'

const PAIRS = repeats(15, 1_000)
const PASSWORD = 'correct horse battery'

let replicated: Replicated
let services: readonly Service[] = []

beforeAll(async () => {
  await buildOnce()
  replicated = await startReplicated()
  const modules = openModules(replicated.own.db, bundledAddons)
  const id = await hire(modules, 'writer', ['base.group_system'])
  await modules.asSystem((env) => env.model('core.user').write([id], { password: PASSWORD }))
  const open = () => startService(replicated.postgres.dsn, { SVC_DB_READ_REPLICA_DSN: replicated.replica.dsn })
  services = await Promise.all([open(), open()])
})
afterAll(async () => {
  await Promise.all(services.map((service) => service.end('SIGINT')))
  await replicated?.remove()
})

const send =
  ({ url }: Service) =>
  (path: string, init?: RequestInit) =>
    fetch(url + path, init)

/** One session, in a browser whose requests go to each process in turn. */
async function signIn(): Promise<readonly Agent[]> {
  const [first] = services
  const agent = new Agent(send(first!), {})
  expect((await agent.fill('/web/login', { login: 'writer', password: PASSWORD })).status).toBe(303)
  const csrf = /"csrfToken":"([^"]+)"/.exec(await agent.page('/web/home'))![1]!
  return services.map((service) => new Agent(send(service), { 'x-csrf-token': csrf }, agent.cookies))
}

const finds = async (agent: Agent, name: string) =>
  ((await agent.must('core.tag', 'search', [[['name', '=', name]]])) as readonly unknown[]).length === 1

/** Reads that the processes had answered by the replica. */
async function answered(): Promise<number> {
  const counts = services.map(async (service) => {
    const text = await (await new Agent(send(service), { 'x-api-key': replicated.key }).get('/metrics')).text()
    return Number(/svc_replica_reads_total\{outcome="answered"\} (\d+)/.exec(text)?.[1] ?? 0)
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

test('a session reads through one process what it wrote through another, while replay stands still', async () => {
  const { replica } = replicated
  const session = await signIn()
  let stale = 0
  for (let n = 0; n < PAIRS; n++) {
    // Now and then it catches up, because one that is far behind is not asked at all.
    if (n % 15 === 0) {
      await replica.resume()
      await replica.catchUp()
      await replica.pause()
    }
    await session[n % 2]!.must('core.tag', 'create', [{ name: `pair ${n}` }])
    if (!(await finds(session[(n + 1) % 2]!, `pair ${n}`))) stale++
  }
  await replica.resume()
  expect(stale).toBe(0)
})

test('another session may be shown the state before, so that the replica is really used', async () => {
  const { replica } = replicated
  const [writers, readers] = [await signIn(), await signIn()]
  const before = await answered()
  let tries = 0
  await expect
    .poll(async () => {
      const name = `other ${tries++}`
      await replica.catchUp()
      await replica.pause()
      await writers[0]!.must('core.tag', 'create', [{ name }])
      const isSeen = await finds(readers[1]!, name)
      await replica.resume()
      return isSeen
    })
    .toBe(false)
  expect(await answered()).toBeGreaterThan(before)
})

test('a call repeated with its Idempotency-Key sees its own effect, although its process was killed before it raised a fence', async () => {
  const { replica, postgres } = replicated
  const [writers, repeaters] = [await signIn(), await signIn()]
  let tries = 0
  /** Whether the record is seen before and after the repeated call. */
  const repeat = async () => {
    const name = `repeated-${tries++}`
    const call = { model: 'core.tag', method: 'create', args: [{ name }] }
    const key = { 'idempotency-key': name }
    await replica.catchUp()
    await replica.pause()
    const first = await writers[0]!.send(call, key)
    // Undoes what a process does after its commit, as if it had been killed right there.
    await postgres.query(`DELETE FROM sys_fence WHERE subject <> 'rights'`)
    const before = await finds(repeaters[1]!, name)
    const second = await repeaters[1]!.send(call, key)
    const after = await finds(repeaters[1]!, name)
    await replica.resume()
    return [before, second.headers.get('idempotent-replayed'), second.result === first.result, after]
  }
  await expect.poll(repeat).toEqual([false, 'true', true, true])
})

test('who took a right and repeats that call has taken it everywhere, although its process was killed before it raised a fence', async () => {
  const { replica, postgres } = replicated
  const [boss, clerk] = [await signIn(), await signIn()]
  const rule = { name: 'open ones', model: 'core.partner', domain: "[['ref', '=', 'open']]", perm_write: false }
  const ruleId = await boss[0]!.must('sys.rule', 'create', [rule])
  let tries = 0
  /** How many records the other session finds before and after the repeated call. */
  const take = async () => {
    const name = `taken-${tries++}`
    const id = await boss[0]!.must('core.partner', 'create', [{ name, ref: 'open' }])
    const seen = async () =>
      ((await clerk[1]!.must('core.partner', 'search', [[['name', '=', name]]])) as readonly unknown[]).length
    await replica.catchUp()
    await replica.pause()
    const fences = await postgres.query<{ lsn: string }>(`SELECT lsn::text FROM sys_fence WHERE subject = 'rights'`)
    const call = { model: 'core.partner', method: 'write', args: [[id], { ref: 'closed' }] }
    await boss[0]!.send(call, { 'idempotency-key': name })
    // Undoes what a process does after its commit, as if it had been killed right there.
    await postgres.query(`UPDATE sys_fence SET lsn = $1::text::pg_lsn`, [fences[0]!.lsn])
    const before = await seen()
    await boss[1]!.send(call, { 'idempotency-key': name })
    const after = await seen()
    await replica.resume()
    return [before, after]
  }
  await expect.poll(take).toEqual([1, 0])
  await boss[0]!.must('sys.rule', 'unlink', [[ruleId]])
})

test('a change of users by a command raises the fence for all callers', async () => {
  const { replica, postgres } = replicated
  const [, reader] = await signIn()
  await replica.catchUp()
  await replica.pause()
  const settings = { SVC_DB_READ_REPLICA_DSN: replica.dsn, MODULUS_PASSWORD: PASSWORD }
  const { code, stderr } = await runSvc(
    ['user', 'create', '--login', 'newcomer'],
    serviceSettings(postgres.dsn, settings),
  )
  const found = await reader!.must('core.user', 'search_read', [[['login', '=', 'newcomer']], ['login']])
  await replica.resume()
  expect([code, stderr, found]).toEqual([0, '', [{ id: expect.any(Number), login: 'newcomer' }]])
})
