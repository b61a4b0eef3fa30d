import fc from 'fast-check'
import { PDFDocument } from 'pdf-lib'
import { describe, expect, test } from 'vitest'
import type { DocumentContent } from '../../kernel/document/content.ts'
import { directedRuns } from '../../kernel/document/font/bidi.ts'
import { FontSet } from '../../kernel/document/font/font-set.ts'
import { renderPdf } from '../../kernel/document/pdf/render.ts'
import { houseFonts } from '../../runtime/fonts.ts'
import { checkPdf, pdfText } from '../support/pdf.ts'
import { repeats } from '../support/soak.ts'

const fonts = new FontSet({ ...houseFonts, fallback: [] })
const pause = () => Promise.resolve()

const textDocument = (texts: readonly string[], logo: Uint8Array | null = null): DocumentContent => ({
  title: texts[0] ?? '',
  lang: 'en',
  author: texts[0] ?? '',
  createdAt: '2026-01-31T12:00:00.000Z',
  paper: 'a4',
  orientation: 'auto',
  letterhead: { name: texts[0] ?? '', logo, note: texts[0] ?? '', laterNote: '', isLetter: true },
  footer: { columns: [{ heading: texts[0] ?? '', lines: texts }], note: '', pageText: '{page}/{pages}' },
  blocks: [
    { kind: 'title', text: texts[0] ?? '', subtitle: texts[1] ?? '' },
    { kind: 'fields', facts: texts.map((text) => [text, text]) },
    {
      kind: 'table',
      heading: '',
      look: 'list',
      columns: texts.map((label) => ({ label, align: 'start' })),
      rows: [texts, texts.toReversed()],
      totals: null,
    },
  ],
})

test.each([
  ['marks', '\u0300'.repeat(60_000)],
  ['marks of one letter', `e${'\u0301\u0323'.repeat(30_000)}`],
  ['one word of letters that are shaped', 'e\u0323'.repeat(32_000)],
  ['many short words that are shaped', 'e\u0323 '.repeat(20_000)],
  ['right to left', '\u05d0'.repeat(64_000)],
])('64 KB of %s are drawn in time', async (_, text) => {
  const document = { ...textDocument(['x']), blocks: [{ kind: 'text', heading: '', text } as const] }
  const before = process.cpuUsage()
  await renderPdf(fonts, document, pause)
  expect(process.cpuUsage(before).user / 1e3).toBeLessThan(10_000)
})

describe('any text', () => {
  const codeUnits = fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
    .map((units) => String.fromCharCode(...units))
  const mixed = fc
    .array(
      fc.constantFrom(
        'ab ',
        'שלום',
        'مرحبا',
        '12',
        '(',
        ')',
        '👩‍👩‍👧',
        '\u0301',
        '\ud800',
        '\u0000',
        '\u202e',
        '\ufeff',
        '東',
        '\n',
        '\u00a0',
        'ﷺ',
        'กำ',
        'क्षि',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''))

  test('becomes a file that can be read', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(codeUnits, mixed, fc.string({ unit: 'binary' })), { minLength: 1, maxLength: 6 }),
        async (texts) => {
          const file = await renderPdf(fonts, textDocument(texts), pause)
          const { getPageCount } = await PDFDocument.load(file)
          expect(getPageCount).toBeDefined()
        },
      ),
      { numRuns: repeats(60, 5_000) },
    )
  })

  test('is sound for every plane, and can be copied out of it, with or without a glyph', async () => {
    const texts = ['Grüße, Łódź, Ελλάδα, Москва, Tiếng Việt', '東京 한국어', '\u{1f600}\u{20bb7}', 'AVATAR To fi']
    const file = await renderPdf(fonts, textDocument(texts), pause)
    checkPdf(file)
    const copied = pdfText(file)
    for (const text of texts) expect(copied).toContain(text)
  })

  test('from right to left is drawn from right to left, with numbers as they are', () => {
    const seen = (text: string) =>
      directedRuns(text).map(({ text: run, isRightToLeft }) => (isRightToLeft ? `<${run}` : run))
    expect(seen('abc')).toEqual(['abc'])
    expect(seen('abc שלום 12')).toEqual(['abc ', '12', '<שלום '])
    expect(seen('שלום (abc)')).toEqual(['<(', 'abc', '<שלום )'])
  })
})

describe('the letterhead', () => {
  const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

  test('has the logo of the company; one that is broken, too large or of another kind is left out', async () => {
    const png = Buffer.from(PNG, 'base64')
    const large = Buffer.from(png)
    large.writeUInt32BE(50_000, 16)
    large.writeUInt32BE(50_000, 20)
    const hasPicture = async (logo: Uint8Array) => {
      const pdf = await PDFDocument.load(await renderPdf(fonts, textDocument(['x'], logo), pause))
      return pdf.getPage(0).node.Resources()!.toString().includes('/Logo')
    }
    expect(await hasPicture(png)).toBe(true)
    expect(await hasPicture(large)).toBe(false)
    expect(await hasPicture(png.subarray(0, 40))).toBe(false)
    expect(await hasPicture(Buffer.from('GIF89a and more'))).toBe(false)
  })
})

test('a fallback font draws what the first lacks, and one that is none is left out', async () => {
  const set = new FontSet({ ...houseFonts, fallback: [new Uint8Array([1, 2, 3]), houseFonts.strong] })
  expect(set.width('abc', 'regular')).toBe(fonts.width('abc', 'regular'))
  expect(set.shape('東', 'regular')).toHaveLength(1)
})
