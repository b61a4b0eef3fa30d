import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../kernel/sql/sql.ts'
import { baseTemplate } from '../support/base-database.ts'
import { runInProcess } from '../support/cli.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

let folder: string
let database: TestDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modulus-import-'))
  database = await createDatabase(baseTemplate)
  await svc('user create --login boss --password "a horse of another colour" --groups base.group_system')
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const svc = (line: string) => runInProcess(line, { SVC_DB_DSN: database.dsn, SVC_DATA_DIR: folder })
const write = async (name: string, text: string) => {
  await writeFile(join(folder, name), text)
  return join(folder, name)
}
const count = async () =>
  (await sql<{ n: number }>`select count(*)::int as n from core_partner where name like 'Shell %'`.execute(database.db))
    .rows[0]!.n

test('svc import shows what it would do and the problems, and imports as a user', async () => {
  const file = join(folder, 'people.csv')
  await writeFile(file, 'Name,Latitude\nShell one,1\nShell two,north\n')
  const line = `import ${file} --model core.partner --login boss`
  expect(await svc(`${line} --dry-run --json`)).toMatchObject({ code: 1, json: { create: 1, error: 1 } })
  const refused = await svc(line)
  expect(refused.code).toBe(1)
  expect(refused.stdout).toContain('Row 3, Latitude: "north" is not a number')
  expect(await count()).toBe(0)
  const rest = await svc(`${line} --skip-invalid`)
  expect(rest).toMatchObject({ code: 0 })
  expect(rest.stdout).toMatch(
    /^Created 1, updated 0, left 0 as they are, skipped 1. Import \d+.\nRow 3, Latitude: "north"/,
  )
  expect(await count()).toBe(1)
  expect(await svc(`import ${file}.none --model core.partner --login boss`)).toMatchObject({
    code: 1,
    stderr: `svc: There is no file or folder ${file}.none. Check the name.\n`,
  })
})

test('svc import lists columns that are not imported, and how to map them', async () => {
  const file = await write('extra.csv', 'Name,Foo,Bar\nShell extra,1,2\n')
  const line = `import ${file} --model core.partner --login boss`
  const told = 'Columns that are not imported: Foo, Bar. To name their fields, use --map.'
  expect((await svc(`${line} --dry-run`)).stdout).toContain(told)
  expect((await svc(`${line} --dry-run --json`)).json).toMatchObject({ left_out: ['Foo', 'Bar'] })
  expect((await svc(line)).stdout).toContain(told)
  const none = await write('none.csv', 'Foo,Bar\n1,2\n')
  expect((await svc(`import ${none} --model core.partner --login boss`)).stderr).toBe(
    'svc: --map: No column is mapped to a field. The file has: Foo, Bar.\n',
  )
  expect((await svc('import --help')).stdout).toContain('{"Company": "name", "Land": "country_id"}')
})

test('svc import --dry-run leaves nothing behind', async () => {
  const file = await write('dry.csv', 'Name\nShell dry\n')
  const kept = () => sql`select id, name from sys_bulk_import order by id`.execute(database.db).then(({ rows }) => rows)
  const before = await kept()
  expect(await svc(`import ${file} --model core.partner --login boss --dry-run`)).toMatchObject({ code: 0 })
  expect(await kept()).toEqual(before)
})

test('svc import distinguishes unchanged records from those left out, and undoes an import', async () => {
  const file = await write('again.csv', 'Name,City\nShell again,Bonn\n')
  const line = `import ${file} --model core.partner --login boss --mode upsert`
  const first = await svc(`${line} --json`)
  expect(first.json).toMatchObject({ created: 1 })
  expect((await svc(line)).stdout).toContain('Created 0, updated 0, left 1 as they are, skipped 0.')
  await write('again.csv', 'Name,City\nShell again,Ulm\n')
  const second = await svc(`${line} --json`)
  expect(second.json).toMatchObject({ updated: 1 })
  expect((await svc(`import --undo ${second.json.id} --login boss`)).stdout).toBe('Removed 0, restored 1, kept 0.\n')
  const kept = await svc(`import --undo ${first.json.id} --login boss`)
  expect(kept.stdout).toMatch(
    /^Removed 0, restored 0, kept 1.\nShell again \(core.partner, \d+\): Was changed since.\n$/,
  )
  expect(await svc(`import --undo ${first.json.id} --login boss`)).toMatchObject({ code: 1 })
  expect(await svc('import --login boss')).toMatchObject({ code: 2 })
  expect(await svc(`import ${file} --login boss`)).toMatchObject({ code: 2 })
})

test('svc import lists a missing column once, and counts problems that are not shown', async () => {
  const rows = (make: (n: number) => string) => Array.from({ length: 30 }, (_, n) => make(n)).join('\n')
  const nameless = await write('nameless.csv', `City\n${rows((n) => `Bonn ${n}`)}\n`)
  expect((await svc(`import ${nameless} --model core.partner --login boss --dry-run`)).stdout).toBe(
    'Would create 0, update 0, leave 0 as they are, skip 0; 30 refused.\n' +
      'Rows 2, 3, 4, 5, 6 and 25 more: name: Name is required.\n',
  )
  const wrong = await write('wrong.csv', `Name,Latitude\n${rows((n) => `Shell wrong ${n},north`)}\n`)
  const { stdout } = await svc(`import ${wrong} --model core.partner --login boss`)
  expect(stdout.match(/^Row \d+, Latitude: /gm)).toHaveLength(20)
  expect(stdout).toContain('\nAnd 10 more rows.\n')
})
