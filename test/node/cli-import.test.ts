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
const count = async () =>
  (await sql<{ n: number }>`select count(*)::int as n from core_partner where name like 'Shell %'`.execute(database.db))
    .rows[0]!.n

test('svc import says what it would do, what is wrong, and imports as a user', async () => {
  const file = join(folder, 'people.csv')
  await writeFile(file, 'Name,Latitude\nShell one,1\nShell two,north\n')
  const line = `import ${file} --model core.partner --login boss`
  expect(await svc(`${line} --dry-run --json`)).toMatchObject({ code: 1, json: { create: 1, error: 1 } })
  const refused = await svc(line)
  expect(refused.code).toBe(1)
  expect(refused.stdout).toContain('Row 3, Latitude: "north" is not a number')
  expect(await count()).toBe(0)
  expect(await svc(`${line} --skip-invalid`)).toMatchObject({ code: 0, stdout: 'Created 1, updated 0, skipped 1.\n' })
  expect(await count()).toBe(1)
  expect(await svc(`import ${file}.none --model core.partner --login boss`)).toMatchObject({ code: 2 })
})
