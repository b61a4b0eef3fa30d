import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { readWorkbook } from '../../kernel/exchange/import/file/workbook.ts'
import { Refusal } from '../../kernel/model/fields/field.ts'
import { expectTurnsBelow } from '../support/cpu-time.ts'
import { inSheet, sheetOf, textCell, WORKBOOK, workbookOf } from '../support/workbook-of.ts'

const env = { services: { sleep: () => nextTurn() } } as unknown as Env

const rowsOf = async (files: Readonly<Record<string, string>>) => readWorkbook(env, await workbookOf(files))

describe('a workbook', () => {
  test('counts its days from 1904 where it says so', async () => {
    const files = {
      'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
      'xl/worksheets/sheet1.xml': sheetOf('<row><c s="1"><v>1</v></c></row>'),
    }
    const from1904 = (flag: string) => WORKBOOK.replace('<sheets>', `<workbookPr a="b" date1904="${flag}"/><sheets>`)
    expect(await rowsOf(files)).toEqual([['1899-12-31']])
    expect(await rowsOf({ ...files, 'xl/workbook.xml': from1904('1') })).toEqual([['1904-01-02']])
    expect(await rowsOf({ ...files, 'xl/workbook.xml': from1904('true') })).toEqual([['1904-01-02']])
    expect(await rowsOf({ ...files, 'xl/workbook.xml': from1904('0') })).toEqual([['1899-12-31']])
  })

  test('has cells as long as a cell to import may be, written with references, and none that are longer', async () => {
    const cell = (chars: number) => inSheet(`<row>${textCell('&amp;'.repeat(chars))}</row>`)
    expect(await rowsOf(cell(65_536))).toEqual([['&'.repeat(65_536)]])
    for (const chars of [65_537, 500_000]) {
      await expect(rowsOf(cell(chars))).rejects.toThrow(
        new Refusal('Row {row} has a cell of more than {count} characters.', { row: 1, count: 65_536 }),
      )
    }
  })

  test('may have texts longer than a cell that no cell uses', async () => {
    const shared = `<si><t>${'a'.repeat(3_000_000)}</t></si><si><t>Azure</t></si>`
    const cell = (index: number) => sheetOf(`<row><c t="s"><v>${index}</v></c></row>`)
    const files = (index: number) => ({ 'xl/sharedStrings.xml': shared, 'xl/worksheets/sheet1.xml': cell(index) })
    expect(await rowsOf(files(1))).toEqual([['Azure']])
    await expect(rowsOf(files(0))).rejects.toThrow(Refusal)
  })
})

test('a table larger than a workbook may be is refused, although its cells share one text', async () => {
  const shared = (cells: number) => ({
    'xl/sharedStrings.xml': `<si><t>${'a'.repeat(60_000)}</t></si>`,
    ...inSheet(`<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`.repeat(cells / 100)),
  })
  expect(await rowsOf(shared(1_000))).toHaveLength(10)
  await expect(rowsOf(shared(1_200))).rejects.toThrow(
    new Refusal('The workbook is larger than {count} MB when it is unpacked.', { count: 64 }),
  )
})

test('more shared texts than a table of this size has are refused, since each of them takes memory', async () => {
  await expect(rowsOf({ 'xl/sharedStrings.xml': '<si/>'.repeat(1_000_001) })).rejects.toThrow(Refusal)
})

/** Kilobytes when packed. */
const BYTES = 20_000_000
const many = (text: string) => text.repeat(BYTES / text.length)

describe('other requests get their turn while a workbook is read with', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['properties that do not end', { 'xl/workbook.xml': WORKBOOK + many('<workbookPr ') }],
    ['other elements for its sheet', { 'xl/workbook.xml': many('<sheets>') + WORKBOOK }],
    ['very many relations', { 'xl/_rels/workbook.xml.rels': many('<Relationship/>') }],
    ['very many number formats', { 'xl/styles.xml': many('<numFmt/>') }],
    ['very many cell formats', { 'xl/styles.xml': `<cellXfs>${many('<xf/>')}</cellXfs>` }],
    ['a shared text of very many parts', { 'xl/sharedStrings.xml': `<si>${many('<t>a</t>')}</si>` }],
    ['a cell of very many references', inSheet(`<row>${textCell(many('&amp;'))}</row>`)],
    ['a value of very many references', inSheet(`<row><c><v>${many('&amp;')}</v></c></row>`)],
  ])('%s', async (_, files) => {
    const bytes = await workbookOf(files)
    const read = () => readWorkbook(env, bytes).catch((error: unknown) => expect(error).toBeInstanceOf(Refusal))
    await expectTurnsBelow(250, read)
  })
})
