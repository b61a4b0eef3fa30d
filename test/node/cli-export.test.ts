import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../kernel/sql/sql.ts'
import { baseTemplate } from '../support/base-database.ts'
import { runInProcess } from '../support/cli.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { hasLibreOffice, openInLibreOffice } from '../support/libreoffice.ts'

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

test('svc export takes headings, totals, a limit and archived records like the route', async () => {
  await sql`insert into core_partner (name, city, latitude, active, create_date, write_date, version) values
    ('Export one', 'Bonn', 1, true, now(), now(), 1), ('Export two', 'Ulm', 2, false, now(), now(), 1)`.execute(
    database.db,
  )
  const file = join(folder, 'some.csv')
  const line = `export core.partner --fields name,city --domain [["name","like","Export"]] --order name --out ${file}`
  const written = async (options: string) => {
    expect(await svc(`${line} ${options}`)).toMatchObject({ code: 0 })
    return (await readFile(file, 'utf8')).trimEnd().split('\r\n')
  }
  expect(await written('--archived include --headings ["Who",""]')).toEqual([
    'Who,city',
    'Export one,Bonn',
    'Export two,Ulm',
  ])
  expect(await written('--archived only')).toEqual(['name,city', 'Export two,Ulm'])
  expect(await written('--archived include --limit 1')).toEqual(['name,city', 'Export one,Bonn'])
  expect(await written('--totals')).toEqual(['name,city', 'Export one,Bonn'])
})

test('svc export refuses what it cannot do', async () => {
  expect((await svc(`export core.country --fields code --out ${join(folder, 'x.txt')}`)).code).toBe(2)
  expect((await svc(`export no.model --fields id --out ${join(folder, 'x.csv')}`)).stderr).toContain(
    'There is no model no.model.',
  )
  expect((await svc(`export core.country --fields x --out ${join(folder, 'x.csv')}`)).stderr).toContain('no field x')
  expect(await svc(`export core.country --fields code --out ${join(folder, 'none', 'x.csv')}`)).toMatchObject({
    code: 1,
    stderr: `svc: --out: There is no folder ${join(folder, 'none')}.\n`,
  })
  const wrong = async (option: string) =>
    (await svc(`export core.country --fields code ${option} --out ${join(folder, 'x.csv')}`)).stderr
  expect(await wrong('--domain [[')).toBe('svc: --domain: It is not valid JSON.\n')
  expect(await wrong('--limit many')).toBe('svc: --limit: Must be a whole number.\n')
  expect(await wrong('--headings ["a","b"]')).toContain('svc: --headings: ')
  expect(await wrong('--archived no')).toContain('svc: --archived: ')
  const nobody = await svc(`export core.country --fields code --login nobody --out ${join(folder, 'x.csv')}`)
  expect(nobody.stderr).toContain('There is no user nobody.')
})

// LibreOffice is half a gigabyte, which the suite does not install.
test.runIf(hasLibreOffice)('LibreOffice opens both files with the right columns, and runs no formula', async () => {
  await sql`insert into core_partner (name, ref, city, latitude, is_company, active, create_date, write_date, version) values
    ('=1+1', '+49 30', '@SUM(A1)', 52.5, true, true, '2026-01-31T12:00:00Z', now(), 1),
    ('a, "b"', '0049', 'Łódź', -1.25, false, true, '2026-02-01T00:00:00Z', now(), 1)`.execute(database.db)
  const chosen = '--domain [["latitude","in",[52.5,-1.25]]] --order id'
  const open = async (ending: string) => {
    const file = join(folder, `cells-${ending}.${ending}`)
    await svc(`export core.partner --fields name,ref,city,latitude,is_company,create_date ${chosen} --out ${file}`)
    const { rows, formulas } = openInLibreOffice(file, folder)
    expect(formulas).toEqual([])
    const [header = [], ...records] = rows.slice(0, 3)
    expect(header.slice(0, 6).map(({ value }) => value)).toEqual([
      'name',
      'ref',
      'city',
      'latitude',
      'is_company',
      'create_date',
    ])
    return records.map((row) => row.slice(0, 6).map(({ type, value }) => `${type} ${value}`))
  }
  expect(await open('csv')).toEqual([
    ["string '=1+1", "string '+49 30", "string '@SUM(A1)", 'float 52.5', 'boolean true', 'string 2026-01-31T12:00:00Z'],
    ['string a, "b"', 'float 49', 'string Łódź', 'float -1.25', 'boolean false', 'string 2026-02-01T00:00:00Z'],
  ])
  // A boolean of a workbook is the number of TRUE() or FALSE() there.
  expect(await open('xlsx')).toEqual([
    ['string =1+1', 'string +49 30', 'string @SUM(A1)', 'float 52.5', 'float 1', 'date 2026-01-31T12:00:00'],
    ['string a, "b"', 'string 0049', 'string Łódź', 'float -1.25', 'float 0', 'date 2026-02-01'],
  ])
})
