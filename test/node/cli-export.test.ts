import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { baseTemplate } from '../support/base-database.ts'
import { runInProcess } from '../support/cli.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

let folder: string
let database: TestDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modulus-export-'))
  database = await createDatabase(baseTemplate)
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const svc = (line: string) => runInProcess(line, { SVC_DB_DSN: database.dsn, SVC_DATA_DIR: folder })

test('svc export writes records into a CSV file or a workbook', async () => {
  const file = join(folder, 'countries.csv')
  const some = await svc(
    `export core.country --fields code,name --domain [["code","in",["DE","FR"]]] --out ${file} --json`,
  )
  expect(some).toMatchObject({ code: 0, json: { ok: true, rows: 2 } })
  const all = await svc(`export core.country --fields code,name --order code --out ${file} --json`)
  expect(all).toMatchObject({ code: 0, json: { ok: true, file } })
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\r\n')
  expect(lines[0]).toBe('code,name')
  expect(lines).toHaveLength(all.json.rows + 1)
  const book = join(folder, 'countries.xlsx')
  expect((await svc(`export core.country --fields code --out ${book}`)).stdout).toContain('Rows written')
  expect((await readFile(book)).subarray(0, 2).toString()).toBe('PK')
})

test('svc export refuses what it cannot do', async () => {
  expect((await svc(`export core.country --fields code --out ${join(folder, 'x.txt')}`)).code).toBe(2)
  expect((await svc(`export no.model --fields id --out ${join(folder, 'x.csv')}`)).stderr).toContain('no such model')
  expect((await svc(`export core.country --fields x --out ${join(folder, 'x.csv')}`)).stderr).toContain('no field x')
  const nobody = await svc(`export core.country --fields code --login nobody --out ${join(folder, 'x.csv')}`)
  expect(nobody.stderr).toContain('There is no user nobody.')
})
