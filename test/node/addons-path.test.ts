import { readdirSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadThirdPartyAddons } from '../../runtime/node/addon/third-party-addons.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { createServiceKey, serviceSettings, startService } from '../support/service.ts'
import { runSvc, type Settings } from '../support/svc.ts'

let database: TestDatabase
let folder: string
let settings: Settings

const FILES = {
  'garden/models/garden-plant.ts': `
    import { behavior, defineModel, field, invalid } from '#kernel'
    export const gardenPlant = defineModel('garden.plant', { label: 'Plant', fields: { name: field.char({ required: true }), height: field.integer() } })
    export const gardenPlantBehavior = behavior('garden.plant', {
      checks: [{ needs: ['height'], check: (_env, row) => (row.height === 13 ? { height: 'Brings bad luck.' } : undefined) }],
      actions: { action_fell: () => { throw invalid('check_failed', { height: 'Trees stay.' }) } },
    })`,
  'garden/security/access.csv':
    'id,model,group,read,write,create,unlink\naccess_plant,garden.plant,base.group_user,1,1,1,1\n',
  'garden/views/plant.xml': `<data><view id="plant_list" name="Plants" model="garden.plant" type="list"><list><field name="name"/><field name="height"/></list></view>
    <action id="action_plants" name="Plants" model="garden.plant"/><menu id="menu_garden" name="Garden" action="action_plants"/></data>`,
  'garden/addon.ts': `
    import { defineAddon, jsonAnswer, route } from '#kernel'
    import { z } from 'zod'
    import { gardenPlant, gardenPlantBehavior } from './models/garden-plant.ts'
    import access from './security/access.csv'
    import views from './views/plant.xml'
    export default defineAddon({
      name: 'garden', version: '1.0', summary: 'Plants', application: true, depends: ['base'],
      models: [gardenPlant], behaviors: [gardenPlantBehavior],
      routes: [route({ method: 'GET', path: '/garden/hello', auth: 'none', tx: 'none',
        query: z.object({ to: z.enum(['garden', 'gate']).default('garden') }), handle: ({ query }) => jsonAnswer({ hello: query.to }) })],
      data: [{ name: 'security/access.csv', text: access }, { name: 'views/plant.xml', text: views }],
    })`,
  'notes.txt': 'not an addon',
} as const

beforeAll(async () => {
  await buildOnce()
  folder = await mkdtemp(join(tmpdir(), 'modulus-addons-'))
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  database = await createDatabase(baseTemplate)
  settings = serviceSettings(database.dsn, { SVC_ADDONS_PATH: folder, SVC_DATA_DIR: join(folder, '.data') })
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

test('a third-party addon is listed, installed and served like the bundled ones', async () => {
  const key = await createServiceKey(database.db)
  expect((await runSvc(['module', 'list', '--json'], settings)).stdout).toContain('garden')
  const installed = await runSvc(['module', 'install', 'garden'], settings)
  expect([installed.code, installed.stderr]).toEqual([0, ''])
  const service = await startService(database.dsn, settings)
  try {
    const call = async (method: string, args: unknown[]) => {
      const body = JSON.stringify({ model: 'garden.plant', method, args })
      const headers = { 'content-type': 'application/json', 'x-api-key': key }
      const response = await fetch(`${service.url}/api/rpc`, { method: 'POST', headers, body })
      return (await response.json()) as { result: unknown; error: { code: string; details: unknown } | null }
    }
    expect((await call('create', [{ name: 'Oak', height: 20 }])).result).toBe(1)
    expect((await call('create', [{ name: 'Elm', height: 13 }])).error).toMatchObject({
      code: 'VALIDATION',
      details: { fields: { height: 'Brings bad luck.' } },
    })
    expect((await call('call', [1, 'action_fell'])).error?.code).toBe('VALIDATION')
    expect(await (await fetch(`${service.url}/garden/hello`)).json()).toEqual({ hello: 'garden' })
  } finally {
    await service.end('SIGINT')
  }
})

test('a folder that is not there, or an addon that does not compile, stops the start with one reason', async () => {
  const missing = await runSvc(['module', 'list'], { ...settings, SVC_ADDONS_PATH: join(folder, 'nowhere') })
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('nowhere. Check the name.')])
  const broken = join(folder, 'broken')
  await mkdir(join(broken, 'weeds'), { recursive: true })
  await writeFile(join(broken, 'weeds/addon.ts'), 'import nothing from "./nothing.ts"; export default nothing')
  const failed = await runSvc(['module', 'list'], { ...settings, SVC_ADDONS_PATH: broken })
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('does not compile')])

  const plain = `import { defineAddon } from '#kernel'\nexport default defineAddon({ name: 'weeds', version: '1.0', summary: 'Weeds', depends: ['base'], models: [] })`
  await writeFile(join(broken, 'weeds/addon.ts'), plain)
  await mkdir(join(broken, 'weeds/client'))
  await writeFile(join(broken, 'weeds/client/index.ts'), 'import "./nothing.ts"')
  const unserved = await runSvc(['serve'], { ...settings, SVC_ADDONS_PATH: broken })
  expect([unserved.code, unserved.stderr]).toEqual([1, expect.stringMatching(/client.index\.ts does not compile/)])
})

/** A folder with one addon, whose manifest and model are these. */
async function writeAddon(name: string, model: string, manifest = `name: '${name}',`): Promise<string> {
  const path = await mkdtemp(join(folder, 'path-'))
  await mkdir(join(path, name, 'models'), { recursive: true })
  await writeFile(join(path, name, 'models/item.ts'), model)
  const text = `import { defineAddon } from '#kernel'
    import { item } from './models/item.ts'
    export default defineAddon({ ${manifest} version: '1.0', summary: 'Items', depends: ['base'], models: [item] })`
  await writeFile(join(path, name, 'addon.ts'), text)
  return path
}

const itemWith = (fields: string) => `import { defineModel, field } from '#kernel'
// A comment, so that the line of the field is not that of the compiled file.
export const item = defineModel('hall.item', {
  label: 'Item',
  fields: { ${fields} },
})`

test('an error in the code of an addon names the file and the line', async () => {
  const path = await writeAddon('hall', itemWith('name: field.txt()'))
  const { code, stderr } = await runSvc(['module', 'list'], { ...settings, SVC_ADDONS_PATH: path })
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/hall cannot be loaded:\n.*hall\/models\/item\.ts:5: field\.txt is not a function/),
  ])
})

test('two addons with one name are named with their folders, and a new one does not get a name that is taken', async () => {
  const path = await writeAddon('sale', itemWith('name: field.char()'))
  const twice = await runSvc(['module', 'list'], { ...settings, SVC_ADDONS_PATH: path })
  const sentence = `There are two addons named sale: in the program itself and in ${join(path, 'sale')}.`
  expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining(sentence)])
  for (const name of ['sale', 'garden']) {
    const made = await runSvc(['new', name, '--in', join(folder, 'fresh')], settings)
    expect([made.code, made.stderr]).toEqual([
      2,
      expect.stringMatching(/sale is an addon of the program itself|garden exists already/),
    ])
  }
})

test('processes that start together never read half of a compiled addon', async () => {
  const dataDir = join(folder, '.shared')
  const load = () => loadThirdPartyAddons({ paths: [folder], dataDir })
  await load()
  const out = join(dataDir, 'addons')
  const file = readdirSync(out).find((name) => name.startsWith('garden'))!
  const { size } = statSync(join(out, file))
  const sizes = new Set<number>()
  let isLoading = true
  const watch = (async () => {
    while (isLoading) {
      sizes.add(statSync(join(out, file)).size)
      await new Promise(setImmediate)
    }
  })()
  for (let round = 0; round < 5; round++) await load()
  isLoading = false
  await watch
  expect([...sizes]).toEqual([size])
})
