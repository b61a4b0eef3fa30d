import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DocumentContent } from '../../kernel/document/content.ts'
import { renderInProcess } from '../../kernel/document/pdf/in-process.ts'
import { LIMITS } from '../../kernel/limits.ts'
import type { Observation } from '../../kernel/observation.ts'
import { build } from '../../runtime/build/build.mjs'
import { houseFonts } from '../../runtime/fonts.ts'
import { openDocuments, requireFonts } from '../../runtime/node/documents.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { checkPdf, pdfText } from '../support/pdf.ts'
import { runSvc } from '../support/svc.ts'

let folder: string
let database: TestDatabase
const program = pathToFileURL(resolve('.build/document-thread.js'))

beforeAll(async () => {
  await build()
  folder = await mkdtemp(join(tmpdir(), 'modulus-documents-'))
  database = await createDatabase(baseTemplate)
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const content: DocumentContent = {
  title: 'Thread',
  lang: 'en',
  author: 'Company',
  createdAt: '2026-01-31T12:00:00.000Z',
  paper: 'a4',
  orientation: 'auto',
  letterhead: { name: 'Company', logo: null, note: '', laterNote: '', isLetter: false },
  footer: { columns: [], note: '', pageText: '{page}' },
  blocks: [{ kind: 'title', text: 'Grüße', subtitle: '' }],
}

test('a thread makes the same file as the process would, one after the other, and refuses when too many wait', async () => {
  const observed: Observation[] = []
  const documents = openDocuments({ fonts: [], observe: (each) => void observed.push(each), program })
  const files = await Promise.all(Array.from({ length: LIMITS.pdfWaiting + 2 }, () => documents.render(content)))
  await documents.close()
  const here = await renderInProcess(
    async () => ({ ...houseFonts, fallback: [] }),
    async () => {},
  ).render(content)
  expect(files.filter((file) => file === null)).toHaveLength(1)
  expect(Buffer.from(files[0]!).equals(Buffer.from(here!))).toBe(true)
  expect(observed).toEqual([])
})

test('a file of pdf_fonts that is no font is named in the log, and one that cannot be read stops the start', async () => {
  const broken = join(folder, 'broken.ttf')
  await writeFile(broken, 'no font')
  const observed: Observation[] = []
  const documents = openDocuments({ fonts: [broken], observe: (each) => void observed.push(each), program })
  checkPdf((await documents.render(content))!)
  await documents.close()
  expect(observed).toEqual([{ kind: 'warning', text: expect.stringContaining(broken) }])
  await expect(requireFonts([join(folder, 'none.ttf')])).rejects.toThrow(/^pdf_fonts: .*none\.ttf/)
})

test('svc export writes a report, and ends', async () => {
  const file = join(folder, 'countries.pdf')
  const args = [
    'export',
    'core.country',
    '--fields',
    'code,name',
    '--domain',
    '[["code","in",["DE","FR"]]]',
    '--out',
    file,
  ]
  const done = await runSvc([...args, '--json'], { SVC_DB_DSN: database.dsn, SVC_DATA_DIR: folder })
  expect(done).toMatchObject({ code: 0, json: { rows: 2 } })
  expect(pdfText(await readFile(file))).toContain('2 records')
})
