import { describe, expect, test } from 'vitest'
import type { Block, DocumentContent, TableBlock } from '../../kernel/document/content.ts'
import { cleanText } from '../../kernel/document/font/clean-text.ts'
import type { TextMeasure } from '../../kernel/document/font/font-set.ts'
import type { DrawnPage, TextBox } from '../../kernel/document/layout/box.ts'
import { columnWidths } from '../../kernel/document/layout/columns.ts'
import { layDocument } from '../../kernel/document/layout/layout.ts'
import { wrapText } from '../../kernel/document/layout/wrap.ts'

/** Every character is half as wide as it is high. */
const fonts: TextMeasure = { width: (text) => [...text].length * 500 }
const TEN = { size: 10, leading: 12, weight: 'regular', color: [0, 0, 0] } as const

const documentOf = (blocks: readonly Block[], more: Partial<DocumentContent> = {}): DocumentContent => ({
  title: 'Title',
  lang: 'en',
  author: 'Company',
  createdAt: '2026-01-31T12:00:00.000Z',
  paper: 'a4',
  orientation: 'auto',
  letterhead: { name: 'Company', logo: null, note: 'Note', laterNote: 'Later', isLetter: false },
  footer: { columns: [], note: 'Foot', pageText: 'Page {page} of {pages}' },
  blocks,
  ...more,
})

const tableOf = (rows: readonly (readonly string[])[], more: Partial<TableBlock> = {}): TableBlock => ({
  kind: 'table',
  heading: '',
  look: 'list',
  columns: [
    { label: 'Name', align: 'start' },
    { label: 'Amount', align: 'end' },
  ],
  rows,
  totals: [],
  ...more,
})

function lay(content: DocumentContent): readonly DrawnPage[] {
  const work = layDocument(fonts, content)
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

const textsOf = ({ boxes }: DrawnPage): TextBox[] => boxes.filter((box) => box.kind === 'text')
const find = (page: DrawnPage, text: string): TextBox => textsOf(page).find((box) => box.text === text)!
const endOf = ({ x, text, style }: TextBox): number => x + (fonts.width(text, 'regular') * style.size) / 1_000

/** Counts the characters that are measured. */
function counted(): TextMeasure & { readonly asked: () => number } {
  let asked = 0
  return {
    width(text) {
      asked += text.length
      return text.replace(/\p{M}/gu, '').length * 500
    },
    asked: () => asked,
  }
}

describe('text', () => {
  test.each([
    ['one word', 'x'.repeat(65_536)],
    ['many short words', 'ab '.repeat(21_845)],
    ['one long line of spaces', `a${' '.repeat(65_000)}b`],
    ['marks without a letter', '\u0300'.repeat(65_536)],
    ['marks of one letter, of two kinds in turn', `e${'\u0301\u0323'.repeat(32_000)}`],
    ['letters with many marks', `e${'\u0301'.repeat(20)}`.repeat(3_000)],
    ['joined letters', 'x\u200d'.repeat(32_000)],
    ['letters of no width', '\u0ec8'.repeat(8) + 'a\u0ec8'.repeat(20_000)],
    ['signs that are words', '漢'.repeat(65_536)],
    ['lines', 'a\n'.repeat(32_000)],
    ['right to left', '\u05d0'.repeat(65_536)],
  ])('measures each character of %s a few times only', (_, text) => {
    for (const width of [20, 400]) {
      const measure = counted()
      const lines = wrapText(measure, text, TEN, width)
      expect(measure.asked()).toBeLessThan(4 * text.length + 1_000)
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(1_500)
    }
  })

  test('a row that is higher than hundreds of pages is split in time', () => {
    const { user } = process.cpuUsage()
    const pages = lay(documentOf([tableOf([['a\n'.repeat(20_000), 'b']])]))
    expect(process.cpuUsage().user - user).toBeLessThan(10_000_000)
    expect(pages.flatMap(textsOf).filter(({ text }) => text === 'a')).toHaveLength(20_000)
  })

  test('a letter keeps at most eight marks, and they stay with it', () => {
    expect(cleanText(`x${'\u0323'.repeat(50)}y`)).toBe(`x${'\u0323'.repeat(8)}y`)
    expect(wrapText(fonts, 'xx\u0323\u0323xx\u0323', TEN, 20)).toEqual(['xx\u0323\u0323', 'xx\u0323'])
  })

  test('wraps at spaces, behind hyphens and slashes, and between signs that are words', () => {
    expect(wrapText(fonts, 'one two three', TEN, 40)).toEqual(['one two', 'three'])
    expect(wrapText(fonts, 'well-known and/or', TEN, 30)).toEqual(['well-', 'known', 'and/or'])
    expect(wrapText(fonts, '東京都庁舎', TEN, 15)).toEqual(['東京都', '庁舎'])
  })

  test('cuts a word that is wider than a line, keeps line ends, and does not break where it must not', () => {
    expect(wrapText(fonts, 'abcdefgh', TEN, 20)).toEqual(['abcd', 'efgh'])
    expect(wrapText(fonts, 'a\r\nb\n\nc', TEN, 100)).toEqual(['a', 'b', '', 'c'])
    expect(wrapText(fonts, 'on 2\u00a0May', TEN, 30)).toEqual(['on', '2\u00a0May'])
    expect(wrapText(fonts, '', TEN, 100)).toEqual([])
  })

  test('is cleaned of what cannot be drawn', () => {
    expect(cleanText('a\u0000\u200bb\tc\ud800')).toBe('ab c\ufffd')
    expect(cleanText('e\u0301\u2028x')).toBe('\u00e9\nx')
  })
})

describe('a table', () => {
  test('has its header on every page, and no row is lost or drawn twice', () => {
    const rows = Array.from({ length: 120 }, (_, i) => [`row ${i}`, String(i)])
    const pages = lay(documentOf([tableOf(rows)]))
    expect(pages.length).toBeGreaterThan(2)
    for (const page of pages) expect(find(page, 'Name').y).toBeLessThan(find(page, 'Amount').y + 0.01)
    const drawn = pages.flatMap((page) => textsOf(page).filter(({ text }) => text.startsWith('row ')))
    expect(drawn.map(({ text }) => text)).toEqual(rows.map(([name]) => name))
    for (const page of pages)
      for (const { y } of textsOf(page).filter(({ text }) => text.startsWith('row ')))
        expect(y).toBeLessThan(page.sheet.bottom)
  })

  test('ends numbers at the same place, under their header, and totals in line with them', () => {
    const [page] = lay(
      documentOf([
        tableOf(
          [
            ['a', '1'],
            ['b', '1,000.00'],
          ],
          { totals: [['Total', '1,001.00']] },
        ),
      ]),
    )
    const ends = ['Amount', '1', '1,000.00', '1,001.00'].map((text) => Math.round(endOf(find(page!, text))))
    expect(new Set(ends).size).toBe(1)
    expect(find(page!, 'Total').style.weight).toBe('strong')
  })

  test('tints every other row', () => {
    const [page] = lay(
      documentOf([
        tableOf([
          ['a', '1'],
          ['b', '2'],
          ['c', '3'],
          ['d', '4'],
        ]),
      ]),
    )
    expect(page!.boxes.filter(({ kind }) => kind === 'area')).toHaveLength(2)
  })

  test('wraps a long cell, and goes on with a row that is higher than a page', () => {
    const words = Array.from({ length: 2_000 }, (_, i) => `word${i}`)
    const pages = lay(
      documentOf([
        tableOf([
          [words.join(' '), '1'],
          ['last', '2'],
        ]),
      ]),
    )
    const drawn = pages.flatMap((page) => textsOf(page).flatMap(({ text }) => text.match(/word\d+/g) ?? []))
    expect(drawn).toEqual(words)
    expect(find(pages.at(-1)!, 'last')).toBeDefined()
  })

  test('lies on its side if it is wide, unless the document is a letter', () => {
    const wide = tableOf([Array.from({ length: 12 }, () => 'a long text of a cell')], {
      columns: Array.from({ length: 12 }, (_, i) => ({ label: `Column ${i}`, align: 'start' as const })),
    })
    const [lying] = lay(documentOf([wide]))
    expect(lying!.sheet.width).toBeGreaterThan(lying!.sheet.height)
    const [upright] = lay(documentOf([wide], { orientation: 'portrait' }))
    expect(upright!.sheet.width).toBeLessThan(upright!.sheet.height)
    for (const box of textsOf(upright!)) expect(endOf(box)).toBeLessThan(upright!.sheet.right + 0.01)
  })

  test('gives columns first their needed width, then their preferred one', () => {
    const needs = [
      { natural: 10, least: 10 },
      { natural: 200, least: 20 },
    ]
    expect(columnWidths(needs, 100, 0).map(Math.round)).toEqual([10, 90])
    expect(columnWidths(needs, 15, 0).map(Math.round)).toEqual([5, 10])
    expect(columnWidths(needs, 400, 10).reduce((sum, width) => sum + width)).toBeCloseTo(390)
  })
})

describe('a document', () => {
  test('counts its pages, and names itself on those after the first', () => {
    const pages = lay(documentOf([tableOf(Array.from({ length: 100 }, (_, i) => [`row ${i}`, '']))]))
    for (const [i, page] of pages.entries()) {
      expect(find(page, `Page ${i + 1} of ${pages.length}`)).toBeDefined()
      expect(find(page, i === 0 ? 'Note' : 'Later')).toBeDefined()
    }
  })

  test('keeps a sum and a place to sign together on one page', () => {
    const rows = Array.from({ length: 42 }, (_, i) => [`row ${i}`, ''])
    for (let more = 0; more < 8; more++) {
      const pages = lay(
        documentOf([
          tableOf(rows.slice(more)),
          {
            kind: 'sum',
            note: '',
            facts: [
              ['Net', '1'],
              ['Tax', '2'],
            ],
            total: ['Sum', '3'],
          },
          { kind: 'sign', heading: 'Accept', text: 'We order.', places: ['Date', 'Stamp'] },
        ]),
      )
      const pageOf = (text: string) => pages.findIndex((page) => find(page, text) !== undefined)
      expect(pageOf('Net')).toBe(pageOf('Sum'))
      expect(pageOf('Accept')).toBe(pageOf('Stamp'))
    }
  })

  test('keeps the last rows of a table, with their heading, on the page of its sum', () => {
    const section = { across: 'section', text: 'Section', sum: null } as const
    for (let count = 3; count < 90; count++) {
      const rows = Array.from({ length: count }, (_, i) => [`row ${i}`, '1'])
      const table = tableOf([], { look: 'lines', rows: [...rows.slice(0, -2), section, ...rows.slice(-2)] })
      const sum: Block = { kind: 'sum', note: '', facts: [['Net', '1']], total: ['Sum', '2'] }
      const last = lay(documentOf([table, sum])).at(-1)!
      const kept = ['Section', `row ${count - 2}`, `row ${count - 1}`, 'Sum'].map((text) => find(last, text)?.text)
      expect(kept).not.toContain(undefined)
    }
  })

  test('tags headings, paragraphs and cells, but not the parts that repeat on every page', () => {
    const [page] = lay(documentOf([{ kind: 'title', text: 'Big', subtitle: 'Small' }, tableOf([['a', '1']])]))
    const roles = Object.fromEntries(textsOf(page!).map(({ text, tag }) => [text, tag?.role ?? null]))
    expect(roles).toMatchObject({ Big: 'H1', Small: 'P', Name: 'TH', a: 'TD', Company: null, 'Page 1 of 1': null })
  })

  test('has long values of a record below the short ones, over the whole width', () => {
    const long = Array.from({ length: 300 }, () => 'word').join(' ')
    const pages = lay(
      documentOf([
        {
          kind: 'fields',
          facts: [
            ['Short', 'value'],
            ['Long', long],
            ['Empty', ''],
          ],
        },
      ]),
    )
    expect(find(pages[0]!, 'Long').style.weight).toBe('strong')
    expect(find(pages[0]!, 'Long').y).toBeGreaterThan(find(pages[0]!, 'Short').y)
    expect(find(pages[0]!, '–')).toBeDefined()
  })
})
