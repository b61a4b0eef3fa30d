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
import { documentFonts } from '../../runtime/fonts.ts'
import { openDocuments, requireFonts } from '../../runtime/node/document/documents.ts'
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

/** More than a thread makes in a moment. */
const long: DocumentContent = {
  ...content,
  blocks: [{ kind: 'text', heading: '', text: 'Grüße aus Łódź. '.repeat(60_000) }],
}

const ann = { subject: 'ann' }

test('a thread makes the same file as the process would, one after the other, and refuses when one user asks for too many', async () => {
  const observed: Observation[] = []
  const documents = openDocuments({ fonts: [], observe: (each) => void observed.push(each), program })
  const files = await Promise.all(
    Array.from({ length: LIMITS.pdfUserWaiting + 2 }, () => documents.render(content, ann)),
  )
  await documents.close()
  const here = await renderInProcess(
    async () => ({ ...documentFonts, fallback: [] }),
    async () => {},
  ).render(content, ann)
  expect(files.filter((file) => file === null)).toHaveLength(1)
  expect(Buffer.from(files[0]!).equals(Buffer.from(here!))).toBe(true)
  expect(observed).toEqual([])
})

test('a user who requests many documents leaves a place for others', async () => {
  const documents = openDocuments({ fonts: [], observe: () => {}, program })
  const done: string[] = []
  const render = async (subject: string) => {
    const file = await documents.render(content, { subject })
    if (file !== null) done.push(subject)
  }
  await Promise.all([...Array.from({ length: 8 }, () => render('greedy')), render('b'), render('c')])
  await documents.close()
  expect(done.slice(0, 3)).toEqual(['greedy', 'b', 'c'])
  expect(done).toHaveLength(LIMITS.pdfUserWaiting + 3)
})

test('a caller who leaves ends the work or gives up the place, and the next document is made', async () => {
  const documents = openDocuments({ fonts: [], observe: () => {}, program })
  const leaving = new AbortController()
  const atWork = documents.render(long, { subject: 'a', signal: leaving.signal })
  const waiting = documents.render(long, { subject: 'b', signal: leaving.signal })
  const next = documents.render(content, { subject: 'c' })
  leaving.abort()
  await expect(atWork).rejects.toMatchObject({ reason: 'timed_out' })
  await expect(waiting).rejects.toMatchObject({ reason: 'timed_out' })
  checkPdf((await next)!)
  await expect(documents.render(content, { subject: 'a', signal: leaving.signal })).rejects.toMatchObject({
    reason: 'timed_out',
  })
  await documents.close()
})

test('a document that takes too long is ended, and a caller that does not wait is refused at once', async () => {
  const documents = openDocuments({ fonts: [], observe: () => {}, program })
  const slow = documents.render(long, { subject: 'a', workMs: 50 })
  expect(await documents.render(content, { subject: 'b', waitMs: 0 })).toBeNull()
  await expect(slow).rejects.toMatchObject({ reason: 'timed_out' })
  checkPdf((await documents.render(content, ann))!)
  await documents.close()
})

test('the end of the service ends the document at work and refuses those that wait and those that come', async () => {
  const documents = openDocuments({ fonts: [], observe: () => {}, program })
  const all = ['a', 'b', 'c'].map((subject) => documents.render(long, { subject }))
  const outcomes = Promise.allSettled(all)
  await documents.close()
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { reason: 'not_ready' } })
  await expect(documents.render(content, ann)).rejects.toMatchObject({ reason: 'not_ready' })
})

test('a file of pdf_fonts that is no font is named in the log, and one that cannot be read stops the start', async () => {
  const broken = join(folder, 'broken.ttf')
  await writeFile(broken, 'no font')
  const observed: Observation[] = []
  const documents = openDocuments({ fonts: [broken], observe: (each) => void observed.push(each), program })
  checkPdf((await documents.render(content, ann))!)
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
