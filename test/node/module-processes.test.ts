import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import base from '../../addons/base/addon.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { build } from '../../runtime/build/build.mjs'
import { Agent } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'
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
  await build()
  folder = await mkdtemp(join(tmpdir(), 'modulus-processes-'))
  await mkdir(join(folder, 'garden'))
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text)
  database = await createDatabase(baseTemplate)
  const modules = openModules(database.db, [base])
  const id = await hire(modules, 'boss', ['base.group_system'])
  await modules.asSystem((env) => env.model('core.user').write([id], { password: PASSWORD }))
  settings = serviceSettings(database.dsn, { SVC_ADDONS_PATH: folder, SVC_DATA_DIR: join(folder, '.data') })
}, 120_000)
afterAll(async () => {
  for (const service of services) await service.end('SIGTERM')
  await database.drop()
  await rm(folder, { recursive: true })
})

/** A process, and an administrator who is signed in there. */
async function open(): Promise<Boss & { readonly service: Service }> {
  const service = await startService(database.dsn, settings)
  services.push(service)
  return { service, ...(await signIn(service)) }
}

interface Boss {
  readonly agent: Agent
  act(action: string): Promise<Response>
}

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

const purge = async () => {
  const { code, stderr } = await runSvc(['module', 'uninstall', 'garden', '--purge'], settings)
  expect(code, stderr).toBe(0)
}

describe('two processes', { timeout: 240_000 }, () => {
  let here: Boss
  let there: Boss

  beforeAll(async () => {
    ;[here, there] = await Promise.all([open(), open()])
  }, 120_000)

  test('the other one serves what is installed here with its very next request', async () => {
    expect(await seen(there)).toEqual(nothing)
    expect(await (await here.act('install')).json()).toMatchObject({
      ok: true,
      result: { modules: expect.arrayContaining(['garden']) },
    })
    expect(await seen(there)).toEqual(everything)
    expect(await seen(here)).toEqual(everything)
    expect((await runSvc(['cron', 'run'], settings)).stdout).toContain('Water the plants')
  })

  test('a module switched off has no menu, route or job anywhere, and keeps its records', async () => {
    expect((await here.act('deactivate')).status).toBe(200)
    expect(await seen(there)).toEqual({ ...everything, route: 404, menu: false })
    await sql`update sys_cron set nextcall = '2026-01-01' where handler = 'garden.water'`.execute(database.db)
    expect((await runSvc(['cron', 'run'], settings)).stdout).not.toContain('Water the plants')
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

describe('a process that is killed while it installs', { timeout: 600_000 }, () => {
  /** Shares of the time the whole takes. */
  const SHARES = [0.3, 0.6, 0.9]

  /** Kills at each share; before and after there is all of the module or nothing. */
  async function killAt(start: () => Promise<{ done: Promise<unknown>; kill(): Promise<unknown> }>): Promise<void> {
    const whole = await start()
    const began = performance.now()
    await whole.done
    const length = performance.now() - began
    expect(await traces()).toEqual(INSTALLED)
    await whole.kill()
    await purge()
    for (const share of SHARES) {
      const { done, kill } = await start()
      await Promise.race([done, sleep(length * share)])
      await kill()
      await done
      const left = await traces()
      expect([INSTALLED, ABSENT], `killed after ${share}`).toContainEqual(left)
      if (left?.['state'] === 'installed') await purge()
    }
    expect((await runSvc(['module', 'install', 'garden'], settings)).code).toBe(0)
    expect(await traces()).toEqual(INSTALLED)
    await purge()
  }

  test('over HTTP has installed all of it or nothing', () =>
    killAt(async () => {
      const { service, act } = await open()
      return { done: act('install').catch(() => null), kill: () => service.end('SIGKILL') }
    }))

  test('from the command line has installed all of it or nothing', () =>
    killAt(async () => {
      const child = spawnSvc(['module', 'install', 'garden'], settings)
      const done = new Promise((resolve) => child.once('exit', resolve))
      child.stdout!.resume()
      child.stderr!.resume()
      return { done, kill: async () => child.kill('SIGKILL') }
    }))
})
