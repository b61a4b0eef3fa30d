import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { blocksOf, commandsOf, filesOf, readPage, sectionOf, wordsOf } from './markdown.ts'
import { openWorkshop, type Service, type Workshop } from './workshop.ts'

const readme = readPage('README.md')
const addonFiles = filesOf(sectionOf(readme, 'Write an addon in five minutes'))
const clientFiles = filesOf(sectionOf(readme, 'Typed client'))
const pageFiles = filesOf(readPage('addons/README.md'))
const testFiles = filesOf(readPage('test/README.md'))
const svcLines = (markdown: string) => commandsOf(markdown).filter((command) => command.startsWith('npx svc '))

let database: TestDatabase
let workshop: Workshop
let service: Service
let key: string

beforeAll(async () => {
  database = await createEmptyDatabase()
  workshop = await openWorkshop({ SVC_DB_DSN: database.dsn, SVC_HTTP_PORT: '0', TEST_DB_DSN: inject('adminDsn') })
})
afterAll(async () => {
  await workshop.close()
  await database.drop()
})

/** Runs an `npx svc` line, which runs `runtime/svc.mjs`. */
async function svc(line: string): Promise<string> {
  const { code, output } = await workshop.node('runtime/svc.mjs', ...wordsOf(line).slice(2))
  expect(code, `${line}\n${output}`).toBe(0)
  return output
}

const post = async (url: string, headers: Record<string, string>, body: string) =>
  (await fetch(url, { method: 'POST', headers, body })).json()

const rpc = (body: string) =>
  post(`${service.url}/api/rpc`, { 'X-API-Key': key, 'Content-Type': 'application/json' }, body)

describe('whoever follows the README', { timeout: 120_000 }, () => {
  test('starts the service, sets it up and makes a key', async () => {
    const { scripts } = JSON.parse(readPage('package.json'))
    expect(commandsOf(sectionOf(readme, 'Two commands'))[0]).toBe('npm ci && npm start')
    expect(scripts).toMatchObject({
      build: 'node runtime/build.mjs',
      start: 'npm run --silent build && node .build/svc.js serve',
    })
    expect(await workshop.node('runtime/build.mjs')).toEqual({ code: 0, output: '' })
    service = await workshop.serve()
    const output: string[] = []
    for (const line of svcLines(sectionOf(readme, 'Two commands'))) output.push(await svc(line))
    key = /sk_\w{49}/.exec(output.join())?.[0] ?? ''
    expect(key).not.toBe('')
  })

  test('gets an answer with curl', async () => {
    const curl = commandsOf(readme).find((command) => command.startsWith('curl '))!
    const [, address = '', ...options] = wordsOf(curl.replace('$KEY', key))
    const given = (flag: string) => options.flatMap((word, i) => (word === flag ? [options[i + 1]!] : []))
    const headers = Object.fromEntries(given('-H').map((header) => header.split(': ')))
    const answer = await post(address.replace('http://127.0.0.1:8069', service.url), headers, given('-d')[0]!)
    expect(answer).toMatchObject({ ok: true, result: [{ name: 'Acme', country_id: null }] })
  })

  test('gets an answer with the built client, imported by its name', async () => {
    const script = `import { createClient } from 'modulus/client'
      const partners = createClient(${JSON.stringify({ url: service.url, apiKey: key })}).model('core.partner')
      console.log(JSON.stringify(await partners.searchRead([['name', '=', 'Acme']], ['name'])))`
    const { code, output } = await workshop.node('--input-type=module', '--eval', script)
    expect(code, output).toBe(0)
    expect(JSON.parse(output)).toMatchObject([{ name: 'Acme' }])
  })

  test('writes the addon, installs it and calls it', async () => {
    expect([...addonFiles.keys()]).toContain('addons/fleet/addon.ts')
    await workshop.write(addonFiles)
    for (const line of svcLines(sectionOf(readme, 'Write an addon in five minutes'))) await svc(line)
    await service.stop()
    service = await workshop.serve()
    const lines = blocksOf(readme).flatMap(({ mark, text }) => (mark === 'rpc' ? text.trim().split('\n') : []))
    const answers: unknown[] = []
    for (const line of lines) answers.push(await rpc(line))
    const car = { id: 1, plate: 'B-MO 42', state: 'ready', distance: 12.5 }
    expect(answers).toEqual([
      { ok: true, result: 1, error: null },
      { ok: true, result: [car], error: null },
      { ok: true, result: true, error: null },
    ])
    const look = JSON.stringify({ model: 'fleet.car', method: 'read', args: [[1], ['state', 'driver_city']] })
    expect(await rpc(look)).toMatchObject({ result: [{ state: 'repair', driver_city: null }] })
  })

  test('can run every other command it names', async () => {
    const named = [...readme.matchAll(/`(npx svc [^`…]+)`/g)].map((match) => match[1]!)
    expect(named.length).toBeGreaterThan(0)
    for (const line of named) await svc(line)
  })
})

describe('whoever follows the pages on addons and tests', { timeout: 120_000 }, () => {
  test('writes a second addon, installs it with its examples, and the tests pass', async () => {
    await workshop.write(pageFiles)
    await workshop.write(testFiles)
    const files = ['addons/fleet_lease', ...testFiles.keys()]
    const [, tests] = await Promise.all([
      svc('npx svc module install fleet_lease --demo'),
      workshop.tool('vitest', 'run', '--config', 'test/vitest.config.ts', ...files),
    ])
    expect(tests, tests.output).toMatchObject({ code: 0 })
    expect(tests.output).toMatch(/Test Files.* 2 passed/)
    expect(await svc('npx svc cron run')).toContain('End overdue leases')
  })
})

describe('the examples', { timeout: 120_000 }, () => {
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
  const tsconfig = {
    extends: './tsconfig.json',
    include: ['addons/index.ts', 'example', 'runtime/*.d.ts', ...misspelt.keys()],
  }
})
