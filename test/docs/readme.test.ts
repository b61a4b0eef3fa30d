import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { Agent } from '../support/agent.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { openWorkspace, type Params } from '../support/workspace.ts'
import { blocksOf, commandsOf, editsOf, filesOf, readPage, sectionOf, wordsOf } from './markdown.ts'
import { openWorkshop, type Service, type Workshop } from './workshop.ts'

const readme = readPage('README.md')
const addonFiles = filesOf(sectionOf(readme, 'Write an addon in five minutes'))
const clientFiles = filesOf(sectionOf(readme, 'Typed client'))
const addonsPage = readPage('addons/README.md')
const pageFiles = filesOf(addonsPage)
const pageEdits = editsOf(addonsPage, (path) => addonFiles.get(path) ?? readPage(path))
const testFiles = filesOf(readPage('test/README.md'))
const svcLines = (markdown: string) => commandsOf(markdown).filter((command) => command.startsWith('npx svc '))

let database: TestDatabase
let workshop: Workshop
let service: Service
let key: string
let browser: Agent

beforeAll(async () => {
  database = await createEmptyDatabase()
  workshop = await openWorkshop({ SVC_DB_DSN: database.dsn, SVC_HTTP_PORT: '0', TEST_DB_DSN: inject('adminDsn') })
})
afterAll(async () => {
  await workshop.close()
  await database.drop()
})

/** Runs an `npx svc` line, which runs `runtime/build/svc.mjs`. */
async function svc(line: string): Promise<string> {
  const { code, output } = await workshop.node('runtime/build/svc.mjs', ...wordsOf(line).slice(2))
  expect(code, `${line}\n${output}`).toBe(0)
  return output
}

/** Pastes a shell block into a terminal that has the key. Only the address is changed, for the port of this run. */
async function paste(block: string): Promise<string> {
  const script = `set -e\nKEY=${key}\n${here(block)}`
  const { code, output } = await workshop.run('bash', '-c', script)
  expect(code, `${block}\n${output}`).toBe(0)
  return output
}

const here = (text: string) => text.replaceAll('http://127.0.0.1:8069', service.url)

const shellBlocks = (title: string) =>
  blocksOf(sectionOf(readme, title)).flatMap(({ language, text }) => (language === 'sh' ? [text] : []))

const post = async (url: string, headers: Record<string, string>, body: string) =>
  (await fetch(url, { method: 'POST', headers, body })).json()

const rpc = (body: string) =>
  post(`${service.url}/api/rpc`, { 'X-API-Key': key, 'Content-Type': 'application/json' }, body)

/** What the README gives the administrator whom it sets up. */
function given(option: string): string {
  const words = wordsOf(svcLines(readme).find((line) => line.startsWith('npx svc init '))!)
  return words[words.indexOf(`--${option}`) + 1]!
}

async function signIn(): Promise<Agent> {
  const visitor = new Agent((path, init) => fetch(service.url + path, init), {})
  const { status } = await visitor.fill('/web/login', { login: given('login'), password: given('password') })
  expect(status).toBe(303)
  return visitor
}

const actionOf = async (model: string): Promise<number> => {
  const found = await rpc(
    JSON.stringify({ model: 'sys.action', method: 'search_read', args: [[['model', '=', model]], ['id']] }),
  )
  expect(found).toMatchObject({ ok: true, result: [{ id: expect.any(Number) }] })
  return found.result[0].id
}

/** Fields and buttons in a workspace, wherever they stand. */
const namesIn = async (params: Params): Promise<readonly string[]> => {
  const { arch } = await openWorkspace(browser, params)
  return [...JSON.stringify(arch).matchAll(/"name":"(\w+)"/g)].map((match) => match[1]!)
}

describe('a reader who follows the README', () => {
  test('starts the service, sets it up and makes a key', async () => {
    const { scripts } = JSON.parse(readPage('package.json'))
    expect(commandsOf(sectionOf(readme, 'Two commands'))[0]).toBe('npm ci && npm start')
    expect(scripts).toMatchObject({ start: 'exec node runtime/build/svc.mjs serve' })
    expect(await workshop.node('runtime/build/svc.mjs', '--version')).toMatchObject({ code: 0 })
    service = await workshop.serve()
    key = ''
    const output = await paste(`${shellBlocks('Two commands')[1]}\necho "key $KEY"`)
    key = /^key (sk_\w{49})$/m.exec(output)?.[1] ?? ''
    expect(key).not.toBe('')
  })

  test('gets an answer with curl', async () => {
    const answer = JSON.parse(await paste(shellBlocks('Two commands')[2]!.replace('curl', 'curl -s')))
    expect(answer).toMatchObject({ ok: true, result: [{ name: 'Acme', country_id: null }] })
  })

  test('signs in, exports and imports with curl', async () => {
    const [block] = blocksOf(sectionOf(readPage('handlers/README.md'), 'Sessions'))
    const output = await paste(`LOGIN='${given('login')}' PASSWORD='${given('password')}'\n${block!.text}`)
    expect(JSON.parse(output)).toMatchObject({ ok: true, created: 0, updated: 0 })
  })

  test('runs the example of the typed client', async () => {
    await workshop.write(new Map([...clientFiles].map(([path, text]) => [path, here(text)])))
    const [command] = shellBlocks('Typed client')
    expect(await paste(command!)).toContain('1 of 3 partners are in Berlin.\n')
    await workshop.write(clientFiles)
    const look = {
      model: 'core.partner',
      method: 'search_read',
      args: [[['city', '=', 'Berlin']], ['name', 'version']],
    }
    expect(await rpc(JSON.stringify(look))).toMatchObject({ result: [{ name: 'Deco Addict', version: 2 }] })
  })

  test('reads above every block which file it belongs to', () => {
    const pages = [readme, addonsPage, readPage('test/README.md')]
    const blocks = pages.flatMap((page) => [...page.matchAll(/([^\n]*)\n\n<!-- (?:file|edit): (.+?) -->\n/g)])
    const unnamed = blocks.filter(([, line, path]) => !line!.includes(`\`${path}\``)).map(([, , path]) => path)
    expect(unnamed).toEqual([])
    expect(blocks).toHaveLength(addonFiles.size + clientFiles.size + pageFiles.size + pageEdits.size + testFiles.size)
  })

  test('writes the addon, installs it and calls it', async () => {
    expect([...addonFiles.keys()]).toContain('addons/fleet/addon.ts')
    await service.stop()
    await workshop.write(addonFiles)
    const [install, calls] = shellBlocks('Write an addon in five minutes')
    expect(install).toMatch(/\nnpm start\n$/)
    await paste(install!.replace(/npm start\n$/, ''))
    service = await workshop.serve()
    const answers = (await paste(calls!))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const car = { id: 1, plate: 'B-MO 42', state: 'ready', distance: 12.5 }
    expect(answers).toEqual([
      { ok: true, result: 1, error: null },
      { ok: true, result: [car], error: null },
      { ok: true, result: true, error: null },
    ])
    const look = JSON.stringify({ model: 'fleet.car', method: 'read', args: [[1], ['state', 'driver_city']] })
    expect(await rpc(look)).toMatchObject({ result: [{ state: 'repair', driver_city: null }] })
  })

  test('signs in and finds the app and its screens', async () => {
    browser = await signIn()
    expect(await browser.page('/web/home')).toContain('"module":"fleet","name":"Fleet"')
    const action = await actionOf('fleet.car')
    for (const view_type of ['list', 'kanban']) {
      const workspace = await openWorkspace(browser, { action, view_type, filter: '' })
      expect(workspace).toMatchObject({ viewType: view_type })
      expect(JSON.stringify(workspace.records)).toContain('B-MO 42')
    }
    expect(await openWorkspace(browser, { action, filter: 'ready' })).toMatchObject({ listTotal: 0 })
    expect(await namesIn({ action, view_type: 'form', id: 1 })).toEqual(
      expect.arrayContaining(['action_repair', 'plate', 'trip_ids']),
    )
    const { messages } = await (await browser.get('/web/wc/chatter?model=fleet.car&res_id=1')).json()
    expect(messages[0].changes).toMatchObject([{ field: 'state', old: 'Ready', new: 'In Repair' }])
  })

  test('can run every other command it names', async () => {
    const named = [...readme.matchAll(/`(npx svc [^`…]+)`/g)].map((match) => match[1]!)
    expect(named.length).toBeGreaterThan(0)
    for (const line of named) await svc(line)
  })
})

describe('a reader who follows the pages on addons and tests', () => {
  test('writes a second addon, installs it with its examples, and the tests pass', async () => {
    await workshop.write(pageFiles)
    await workshop.write(pageEdits)
    await workshop.write(testFiles)
    const [install = '', run] = commandsOf(addonsPage)
    expect(run).toBe('npx vitest run --config test/vitest.config.ts addons/fleet_lease')
    const files = ['addons/fleet_lease', ...testFiles.keys()]
    const [, tests] = await Promise.all([
      svc(install),
      workshop.tool('vitest', 'run', '--config', 'test/vitest.config.ts', ...files),
    ])
    expect(tests, tests.output).toMatchObject({ code: 0 })
    expect(tests.output).toMatch(/Test Files.* 2 passed/)
    expect(await svc('npx svc cron run')).toContain('End overdue leases')
  })

  test('finds the screens of the first addon widened, and those of the second', async () => {
    await service.stop()
    service = await workshop.serve()
    browser = await signIn()
    const cars = await actionOf('fleet.car')
    const leases = await actionOf('fleet.lease')
    expect(await namesIn({ action: cars, view_type: 'list' })).toContain('lease_count')
    const form = await namesIn({ action: cars, view_type: 'form', id: 1 })
    expect(form).toEqual(expect.arrayContaining(['trip_ids', 'lease_ids', 'action_end']))
    for (const view_type of ['list', 'calendar', 'form']) {
      expect(await openWorkspace(browser, { action: leases, view_type })).toMatchObject({ viewType: view_type })
    }
  })

  test('gets an answer from its route, ends a lease with its button, and the route says so', async () => {
    const call = async (model: string, method: string, ...args: unknown[]) => {
      const answer = await rpc(JSON.stringify({ model, method, args }))
      expect(answer).toMatchObject({ ok: true })
      return answer.result
    }
    const driver = await call('core.partner', 'create', { name: 'Driver' })
    const day = new Date().toISOString().slice(0, 10)
    const lease = await call('fleet.lease', 'create', { car_id: 1, driver_id: driver, date_from: day, date_to: day })
    const due = async () => (await browser.get('/fleet_lease/due?days=1')).json()
    expect(await due()).toMatchObject({ leases: [{ id: lease, car_id: [1, 'B-MO 42'], date_to: day }] })
    await call('fleet.lease', 'call', lease, 'action_end')
    expect(await due()).toEqual({ leases: [] })
    expect((await browser.get('/fleet_lease/due?days=0')).status).toBe(400)
    const stranger = await fetch(`${service.url}/fleet_lease/due`, { headers: { accept: 'application/json' } })
    expect(stranger.status).toBe(401)
  })
})

describe('the examples', () => {
  test('compile as they are, and no longer with a misspelt field', async () => {
    await workshop.write(clientFiles)
    await workshop.write(misspelt)
    await workshop.write(new Map([['tsconfig.pages.json', JSON.stringify(tsconfig)]]))
    const { output } = await workshop.tool('tsc', '-p', 'tsconfig.pages.json')
    const errors = [...output.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map((match) => match[1])
    expect(new Set(errors), output).toEqual(new Set(misspelt.keys()))
    expect(output).toContain('trip_ids.distanse')
    expect(output).toContain('"town"')
  })

  test('are formatted as the rest of the code', async () => {
    const { code, output } = await workshop.tool(
      'biome',
      'check',
      'addons/fleet',
      'addons/fleet_lease',
      'example',
      ...testFiles.keys(),
    )
    expect(code, output).toBe(0)
  })

  /** Copies beside the originals, so that one run of the compiler judges both. */
  const misspelt = new Map([
    [
      'addons/mutant/mutant-car.ts',
      addonFiles
        .get('addons/fleet/models/fleet-car.ts')!
        .replaceAll('fleet.car', 'mutant.car')
        .replaceAll('FleetCar', 'MutantCar')
        .replace("needs: ['trip_ids.distance']", "needs: ['trip_ids.distanse']"),
    ],
    ['mutant/client.ts', clientFiles.get('example/client.ts')!.replace("['name', 'city']", "['name', 'town']")],
  ])
  const EXAMPLE_ADDONS = ['base', 'mail', 'fleet', 'fleet_lease']
  const tsconfig = {
    extends: './tsconfig.json',
    // The examples and what they build on; the other addons would only take time.
    include: [
      ...EXAMPLE_ADDONS.map((name) => `addons/${name}/addon.ts`),
      'example',
      'runtime/*.d.ts',
      ...misspelt.keys(),
    ],
  }
})
