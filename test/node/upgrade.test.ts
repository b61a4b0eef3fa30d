import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareVersions } from '../../kernel/module/newer.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { editsOf, filesOf, readPage } from '../docs/markdown.ts'
import { buildOnce } from '../support/build-once.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { serviceSettings } from '../support/service.ts'
import { runSvc, type Settings } from '../support/svc.ts'

let database: TestDatabase
let folder: string
let settings: Settings

beforeAll(async () => {
  await buildOnce()
  folder = await mkdtemp(join(tmpdir(), 'modulus-upgrade-'))
  await mkdir(join(folder, 'addons'))
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  database = await createEmptyDatabase()
  settings = serviceSettings(database.dsn, {
    SVC_ADDONS_PATH: join(folder, 'addons'),
    SVC_DATA_DIR: join(folder, '.data'),
  })
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** The addons of the documentation, as a reader who follows its pages ends up with. */
function pageAddons(): Map<string, string> {
  const car = filesOf(readPage('README.md'))
  const lease = readPage('addons/README.md')
  const files = [...car, ...filesOf(lease), ...editsOf(lease, (path) => car.get(path) ?? readPage(path))]
  return new Map(files.filter(([path]) => /^addons\/fleet(_lease)?\/(?!test\/|client\/)/.test(path)))
}

/** The same before the price of a lease got another name: version 1.0, without the migration. */
const asBefore = (files: ReadonlyMap<string, string>): Map<string, string> =>
  new Map(
    [...files].map(([path, text]) => [
      path,
      path.startsWith('addons/fleet_lease/')
        ? text
            .replaceAll(/\brate: field/g, 'price: field')
            .replace("version: '1.1'", "version: '1.0'")
            .replace(/^ {2}migrations: .*\n/m, '')
        : text,
    ]),
  )

async function write(files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

async function svc(...line: readonly string[]) {
  const { code, stdout, stderr } = await runSvc(line, settings)
  return { code, text: stdout + stderr }
}

/** Inserts a lease with all required values directly as rows, since the code that declares it is not loaded here. */
async function addLease(): Promise<void> {
  const put = (table: string, values: Readonly<Record<string, unknown>>) =>
    sql<{ id: number }>`
      insert into ${sql.table(table)} (${sql.join(Object.keys(values).map((name) => sql.ref(name)))})
      values (${sql.join(Object.values(values))}) returning id`.execute(database.db)
  const idOf = async (table: string, values: Readonly<Record<string, unknown>>) =>
    (await put(table, values)).rows[0]!.id
  const driver_id = await idOf('core_partner', { name: 'Driver' })
  const car_id = await idOf('fleet_car', { plate: 'B-MO 42', state: 'ready' })
  await put('fleet_lease', { name: 'LEASE/1', car_id, driver_id, date_from: '2026-01-01', state: 'open', price: 12.5 })
}

test('the plan for an empty database names every migration and the first module, and does nothing', async () => {
  const { code, text } = await svc('migrate', '--plan')
  expect([code, text]).toEqual([0, expect.stringMatching(/^migration 0001_kernel\n[\s\S]*\nmodule base \d/)])
  const { rows } = await sql`select relname from pg_class where relnamespace = 'public'::regnamespace`.execute(
    database.db,
  )
  expect(rows).toEqual([])
})

test('the migration of an addon moves data to its new name when a newer version starts', async () => {
  const files = pageAddons()
  expect([...asBefore(files).values()].join()).toContain('price: field.float')
  await write(asBefore(files))
  expect(await svc('migrate')).toMatchObject({ code: 0 })
  expect(await svc('module', 'install', 'fleet_lease', '--demo')).toMatchObject({ code: 0 })
  await addLease()

  await write(files)
  const plan = await svc('migrate', '--plan')
  expect([plan.code, plan.text]).toEqual([
    0,
    expect.stringMatching(/^module fleet_lease 1\.0 → 1\.1\n {2}migration 0001_rename_price\.sql/),
  ])
  expect(await svc('migrate')).toEqual({ code: 0, text: expect.stringContaining('module fleet_lease') })
  const { rows } = await sql<{ rate: number }>`select rate from fleet_lease`.execute(database.db)
  expect(rows).toEqual([{ rate: 12.5 }])
  expect((await svc('migrate', '--plan')).text).toBe('Everything is up to date.\n')
})

test('an older program serves and changes nothing of a database that a newer one has updated', async () => {
  await write(asBefore(pageAddons()))
  for (const line of [['migrate'], ['migrate', '--plan'], ['module', 'update', 'fleet'], ['serve']]) {
    const { code, text } = await svc(...line)
    expect([line, code, text]).toEqual([line, 1, expect.stringContaining('fleet_lease 1.1 (this program has 1.0)')])
  }
  const { rows } = await sql`select version from sys_module where name = 'fleet_lease'`.execute(database.db)
  expect(rows).toEqual([{ version: '1.1' }])
})

test('versions are compared number by number', () => {
  expect([compareVersions('1.10', '1.9'), compareVersions('1.0', '1.0.0'), compareVersions('0.9.9', '1.0')]).toEqual([
    1, 0, -1,
  ])
})
