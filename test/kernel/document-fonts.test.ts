import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { PDFDocument } from 'pdf-lib'
import { describe, expect, test, vi } from 'vitest'
import type { DocumentContent } from '../../kernel/document/content.ts'
import { directedRuns } from '../../kernel/document/font/bidi.ts'
import { Face } from '../../kernel/document/font/face.ts'
import { FontSet, openFace } from '../../kernel/document/font/font-set.ts'
import { subsetOf } from '../../kernel/document/font/subset.ts'
import { checkedRenderer } from '../../kernel/document/pdf/checked-renderer.ts'
import { renderPdf } from '../../kernel/document/pdf/render.ts'
import { validPng } from '../../kernel/document/pdf/valid-png.ts'
import { documentFonts } from '../../runtime/fonts.ts'
import { CFF_TEXT, cffFont } from '../support/cff-font.ts'
import { checkPdf, pdfText } from '../support/pdf.ts'
import { repeats } from '../support/soak.ts'

const fonts = new FontSet({ ...documentFonts, fallback: [] })
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
      totals: [],
    },
  ],
})

test('a document that a damaged font would break is made without it, and the damage is reported once', async () => {
  const [damaged, whole] = [cffFont(), cffFont()]
  const { glyph } = Face.prototype
  const spy = vi.spyOn(Face.prototype, 'glyph').mockImplementation(function (this: Face, code) {
    if (this.bytes === damaged && code > 0x3000) throw new RangeError('Offset is outside the bounds of the table')
    return glyph.call(this, code)
  })
  const told: number[] = []
  const render = checkedRenderer({ ...documentFonts, fallback: [damaged, whole] }, (place) => told.push(place))
  for (let times = 0; times < 2; times++) {
    const file = await render(textDocument([CFF_TEXT]), pause)
    expect(pdfText(file)).toContain(CFF_TEXT)
  }
  spy.mockRestore()
  expect(told).toEqual([0])
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

/** The decoder does not look at the sum behind it. */
function pngChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
}

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

  test('is looked at before it is unpacked: a size that is not the first part, and more data than its size', async () => {
    const lines = (bytes: number) => pngChunk('IDAT', deflateSync(Buffer.alloc(bytes)))
    const png = (...chunks: Buffer[]) => Buffer.concat([Buffer.from(PNG, 'base64').subarray(0, 8), ...chunks])
    const header = (side: number, kind = 6, interlaced = 0) => {
      const data = Buffer.alloc(13)
      data.writeUInt32BE(side, 0)
      data.writeUInt32BE(side, 4)
      data.set([8, kind, 0, 0, interlaced], 8)
      return pngChunk('IHDR', data)
    }
    const end = pngChunk('IEND', Buffer.alloc(0))
    const small = Buffer.alloc(20)
    small.writeUInt32BE(1, 0)
    small.writeUInt32BE(1, 4)
    const text = pngChunk('tEXt', small)
    const whole = png(header(10), lines(410), end)
    expect(await validPng(png(header(10), text, lines(410), end))).toEqual(new Uint8Array(whole))
    expect(await validPng(png(header(8, 6, 1), lines(64 * 4 + 15), end))).not.toBeNull()
    for (const broken of [
      png(text, header(16_000), lines(1_000), end),
      png(header(10), lines(1_000_000), end),
      png(header(10), lines(409), end),
      png(header(10), pngChunk('IDAT', Buffer.from('no data')), end),
      png(header(10, 3), lines(110), end),
      png(header(10, 5), lines(410), end),
      png(header(10), lines(410)),
      png(header(10), header(16_000), lines(410), end),
    ])
      expect(await validPng(broken)).toBeNull()
  })
})

test('a fallback font draws what the first lacks, and one that is none is left out', async () => {
  const set = new FontSet({ ...documentFonts, fallback: [new Uint8Array([1, 2, 3]), documentFonts.strong] })
  expect(set.width('abc', 'regular')).toBe(fonts.width('abc', 'regular'))
  expect(set.shape('東', 'regular')).toHaveLength(1)
})

test('fonts of PostScript outlines and collections of them are drawn, each glyph with the subroutines of its own dictionary', async () => {
  for (const isCollection of [false, true]) {
    const face = new Face(cffFont({ isCollection }))
    const set = new FontSet({ ...documentFonts, fallback: [face.bytes] })
    const file = await renderPdf(set, textDocument([CFF_TEXT]), pause)
    checkPdf(file)
    expect(pdfText(file)).toContain(CFF_TEXT)

    const subset = subsetOf(face)
    const outline = ({ font }: Face, glyph: number) => font.getGlyph(glyph).path.toSVG()
    // 京 comes after a glyph of another dictionary.
    const numbers = [1, 2, 3].map((glyph) => subset.include(glyph))
    const cff = await subset.encode()
    expect(cff[3]).toBe(4)
    const part = new Face(cffFont({ cff }))
    expect(numbers.map((number) => outline(part, number))).toEqual([1, 2, 3].map((glyph) => outline(face, glyph)))
    expect(outline(part, 1)).not.toBe(outline(part, 2))
  }
})

test('a font without outlines that can be drawn is none', () => {
  const zipped = Buffer.concat([Buffer.from('wOFF'), Buffer.from(documentFonts.regular).subarray(4)])
  for (const bytes of [cffFont({ outlines: 'CFF2' }), cffFont({ outlines: 'none' }), zipped])
    expect(openFace(bytes)).toBeNull()
})
