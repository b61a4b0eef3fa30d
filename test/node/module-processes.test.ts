import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import base from '../../addons/base/addon.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { Agent } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'
import { withClient } from '../support/own-postgres.ts'
import { type Service, serviceSettings, startService } from '../support/service.ts'
import { runSvc, type Settings, spawnSvc } from '../support/svc.ts'

const PASSWORD = 'correct horse battery'

/** An addon with one of everything another process must notice: a model, a menu, a route, a job, records. */
const FILES = {
  'garden/garden.xml': `<data>
    <record id="plant_oak" model="garden.plant"><field name="name">Oak</field></record>
    <action id="action_plants" name="Plants" model="garden.plant"/>
    <menu id="menu_garden" name="Garden of Eden" action="action_plants"/>
    <record id="cron_water" model="sys.cron">
      <field name="name">Water the plants</field>
      <field name="handler">garden.water</field>
      <field name="interval_number">1</field>
      <field name="interval_type">minutes</field>
      <field name="nextcall">2026-01-01T02:00:00Z</field>
    </record>
  </data>`,
  'garden/access.csv': 'id,model,group,read,write,create,unlink\naccess_plant,garden.plant,base.group_user,1,1,1,1\n',
  'garden/addon.ts': `
    import { defineAddon, defineModel, field, jsonAnswer, route } from '#kernel'
    import access from './access.csv'
    import garden from './garden.xml'
    export default defineAddon({
      name: 'garden', version: '1.0', summary: 'Plants', application: true, depends: ['base'],
      models: [defineModel('garden.plant', { label: 'Plant', fields: { name: field.char({ required: true }) } })],
      routes: [route({ method: 'GET', path: '/garden/hello', auth: 'none', tx: 'none', handle: () => jsonAnswer({ hello: 'garden' }) })],
      jobs: { water: async () => {} },
      data: [{ name: 'access.csv', text: access }, { name: 'garden.xml', text: garden }],
    })`,
} as const

let database: TestDatabase
let folder: string
let settings: Settings
const services: Service[] = []

beforeAll(async () => {
  await buildOnce()
  folder = await mkdtemp(join(tmpdir(), 'modulus-processes-'))
  await mkdir(join(folder, 'garden'))
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text)
  database = await createDatabase(baseTemplate)
  const modules = openModules(database.db, [base])
  const id = await hire(modules, 'boss', ['base.group_system'])
  await modules.asSystem((env) => env.model('core.user').write([id], { password: PASSWORD }))
  settings = serviceSettings(database.dsn, { SVC_ADDONS_PATH: folder, SVC_DATA_DIR: join(folder, '.data') })
  ;[here, there] = await Promise.all([open(), open()])
})
afterAll(async () => {
  await Promise.all(services.map((service) => service.end('SIGINT')))
  await database.drop()
  await rm(folder, { recursive: true })
})

/** A process, and an administrator who is signed in there. */
async function open(): Promise<Open> {
  const service = await startService(database.dsn, settings)
  services.push(service)
  return { service, ...(await signIn(service)) }
}

interface Boss {
  readonly agent: Agent
  act(action: string): Promise<Response>
}

type Open = Boss & { readonly service: Service }

async function signIn({ url }: Service): Promise<Boss> {
  const agent = new Agent((path, init) => fetch(url + path, init), {})
  expect((await agent.fill('/web/login', { login: 'boss', password: PASSWORD })).status).toBe(303)
  const csrf_token = /"csrfToken":"([^"]+)"/.exec(await agent.page('/web/home'))![1]!
  return {
    agent: agent.with({ 'x-csrf-token': csrf_token }),
    act: (action) =>
      agent.submit('/web/module/action', { module: 'garden', action, csrf_token }, { accept: 'application/json' }),
  }
}

/** What somebody at a process sees of the module. */
async function seen({ agent }: Boss) {
  const read = await agent.rpc('garden.plant', 'search_read', [[], ['name']])
  return {
    plants: read.ok ? read.result : read.error?.code,
    route: (await agent.get('/garden/hello')).status,
    menu: (await agent.page('/web/home')).includes('Garden of Eden'),
  }
}

const everything = { plants: [{ id: expect.any(Number), name: 'Oak' }], route: 200, menu: true }
const nothing = { plants: 'NOT_FOUND', route: 404, menu: false }

const traces = async () =>
  (
    await sql<Record<string, unknown>>`
      select to_regclass('garden_plant') is not null as plants,
        coalesce((select state from sys_module where name = 'garden'), 'uninstalled') as state,
        (select count(*)::int from sys_xmlid where module = 'garden') as xmlids,
        (select count(*)::int from sys_menu where module = 'garden') as menus,
        (select count(*)::int from sys_cron where handler = 'garden.water') as jobs,
        (select count(*)::int from sys_access where model = 'garden.plant') as access`.execute(database.db)
  ).rows[0]

const INSTALLED = { plants: true, state: 'installed', xmlids: 5, menus: 1, jobs: 1, access: 1 }
const ABSENT = { plants: false, state: 'uninstalled', xmlids: 0, menus: 0, jobs: 0, access: 0 }

const waterNow = () =>
  sql`update sys_cron set nextcall = '2026-01-01' where handler = 'garden.water'`.execute(database.db)

const waterings = async () =>
  (
    await sql`select r.id from sys_cron_run r join sys_cron c on c.id = r.cron_id where c.handler = 'garden.water'
      and r.outcome = 'done' order by r.id`.execute(database.db)
  ).rows

const purge = async () => {
  const { code, stderr } = await runSvc(['module', 'uninstall', 'garden', '--purge'], settings)
  expect(code, stderr).toBe(0)
}

let here: Open
let there: Open

describe('two processes', () => {
  test('the other one serves a newly installed module with its very next request', async () => {
    expect(await seen(there)).toEqual(nothing)
    expect(await (await here.act('install')).json()).toMatchObject({
      ok: true,
      result: { modules: expect.arrayContaining(['garden']) },
    })
    expect(await seen(there)).toEqual(everything)
    expect(await seen(here)).toEqual(everything)
    await waterNow()
    // By this command, or by one of the two, which run jobs themselves.
    await runSvc(['cron', 'run'], settings)
    await expect.poll(waterings).not.toEqual([])
  })

  test('a module switched off has no menu, route or job anywhere, and keeps its records', async () => {
    expect((await here.act('deactivate')).status).toBe(200)
    expect(await seen(there)).toEqual({ ...everything, route: 404, menu: false })
    const before = await waterings()
    await waterNow()
    expect((await runSvc(['cron', 'run'], settings)).stdout).not.toContain('Water the plants')
    expect(await waterings()).toEqual(before)
    expect((await there.act('activate')).status).toBe(200)
    expect(await seen(here)).toEqual(everything)
  })

  test('one that is uninstalled is gone everywhere, and back with its records when it is installed again', async () => {
    const made = await there.agent.must<number>('garden.plant', 'create', [{ name: 'Rose' }])
    expect((await there.act('uninstall')).status).toBe(200)
    expect(await seen(here)).toEqual(nothing)
    expect((await here.act('install')).status).toBe(200)
    expect(await seen(there)).toMatchObject({
      plants: expect.arrayContaining([{ id: made, name: 'Rose' }]),
      route: 200,
    })
    await purge()
    expect(await traces()).toEqual(ABSENT)
  })

  test('an addon is offered by those that have it, also after a program without it has changed modules', async () => {
    const without = serviceSettings(database.dsn)
    expect(await runSvc(['module', 'install', 'contacts'], without)).toMatchObject({ code: 0 })
    expect(await here.agent.page('/web/apps')).toContain('"name":"garden"')
    expect((await here.act('install')).status).toBe(200)
    await purge()
  })

  test('both are asked at once, and the command line too: it is installed once and all of them answer', async () => {
    const [one, two, three] = await Promise.all([
      here.act('install'),
      there.act('install'),
      runSvc(['module', 'install', 'garden', '--json'], settings),
    ])
    expect([one.status, two.status, three.code]).toEqual([200, 200, 0])
    const installed = [(await one.json()).result.modules, (await two.json()).result.modules, three.json['modules']]
    expect(installed.toSorted()).toEqual([[], [], ['garden']])
    expect(await traces()).toEqual(INSTALLED)
    await purge()
  })
})

describe('a process that is killed while it installs', () => {
  const sessions = async (condition: string) =>
    (
      await sql
        .raw(`select from pg_stat_activity where datname = current_database() and ${condition}`)
        .execute(database.db)
    ).rows

  /** Kills a process whose install has come to the menus of the module, which another session holds. */
  async function killAtMenus(install: () => ChildProcess): Promise<void> {
    await withClient(database.dsn, async (other) => {
      await other.query('BEGIN; LOCK TABLE sys_menu IN EXCLUSIVE MODE')
      const child = install()
      await expect
        .poll(() => sessions("wait_event_type = 'Lock' and query like '%sys_menu%'"), { interval: 20 })
        .toHaveLength(1)
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
      await other.query('ROLLBACK')
      await expect.poll(() => sessions(`application_name ~ ' ${child.pid}\\M'`)).toEqual([])
    })
    expect(await traces()).toEqual(ABSENT)
  }

  test('over HTTP has installed nothing', async () => {
    const { service, act } = there
    await killAtMenus(() => {
      act('install').catch(() => null)
      return service.child
    })
  })

  test('from the command line has installed nothing, and the next one installs it', async () => {
    await killAtMenus(() => {
      const child = spawnSvc(['module', 'install', 'garden'], settings)
      child.stdout!.resume()
      child.stderr!.resume()
      return child
    })
    expect((await here.act('install')).status).toBe(200)
    expect(await traces()).toEqual(INSTALLED)
  })
})
