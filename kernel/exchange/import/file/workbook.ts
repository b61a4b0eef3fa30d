import type { Env } from '../../../env.ts'
import { LIMITS } from '../../../limits.ts'
import { Refusal } from '../../../model/fields/field.ts'
import { Turns } from '../../../slices.ts'
import { openArchive, workbookTooLarge } from './unzip.ts'
import { attribute, elements, richText, type ScannedElement, unreadable } from './xml-scan.ts'

/** Characters of XML that are read before other requests get their turn: some ten milliseconds. */
const SLICE_CHARS = 262_144
/** An element, even an empty one, counts as this many characters. */
const ELEMENT_CHARS = 50
/** Formats of cells in a workbook; Excel itself keeps fewer. */
const MAX_STYLES = 65_536
/** Texts that cells share. Each takes some ten times as much memory as its element in the file may. */
const MAX_SHARED = 1_000_000
const DAY_MS = 86_400_000
/** Day 0 of the two calendars that workbooks count in. */
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
/** Formats that need no declaration and show dates or times. */
const DATE_FORMATS: ReadonlySet<number> = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47])

/** The rows of the first sheet of an Excel workbook as texts, each value as a CSV file has it. */
export async function readWorkbook(env: Env, bytes: Uint8Array): Promise<readonly (readonly string[])[]> {
  const archive = openArchive(bytes)
  const workbook = await archive.text('xl/workbook.xml')
  if (workbook === null) throw unreadable()
  const turns = new Turns(env, SLICE_CHARS)
  const relations = (await archive.text('xl/_rels/workbook.xml.rels')) ?? ''
  const sheet = await archive.text(await sheetPath(turns, workbook, relations))
  if (sheet === null) throw new Refusal('The workbook has no sheet.')
  const shared = await sharedTexts(turns, (await archive.text('xl/sharedStrings.xml')) ?? '')
  const isDate = await dateStyles(turns, (await archive.text('xl/styles.xml')) ?? '')
  const [properties] = elements(workbook, 'workbookPr')
  const is1904 = ['1', 'true'].includes(attribute(properties?.head ?? '', 'date1904') ?? '')
  const rows: string[][] = []
  let chars = 0
  for (const row of elements(sheet, 'row')) {
    // The file leaves blank rows out, so the number gives the position of this one.
    const number = Number(attribute(row.head, 'r') ?? rows.length + 1)
    if (!Number.isInteger(number) || number < 1 || number > LIMITS.importRows * 2) throw tooManyRows()
    while (rows.length < number - 1) rows.push([])
    const texts: string[] = []
    for (const cell of elements(row.body, 'c')) {
      const column = columnOf(attribute(cell.head, 'r')) ?? texts.length
      if (column >= LIMITS.importColumns)
        throw new Refusal('The file has more than {count} columns.', { count: LIMITS.importColumns })
      while (texts.length < column) texts.push('')
      const text = cellText(cell, shared, isDate, is1904)
      if (text.length > LIMITS.importCellChars)
        throw new Refusal('Row {row} has a cell of more than {count} characters.', {
          row: number,
          count: LIMITS.importCellChars,
        })
      // A million cells may share one long text, and the table has it as often.
      chars += text.length + 1
      if (chars > LIMITS.workbookBytes) throw workbookTooLarge()
      texts.push(text)
      if (turns.isDue(sizeOf(cell))) await turns.give()
    }
    rows.push(texts)
    if (rows.length > LIMITS.importRows * 2) throw tooManyRows()
  }
  return rows
}

const tooManyRows = () => new Refusal('The file has more than {count} rows.', { count: LIMITS.importRows })

/** Characters of an element, for the turns of other requests. */
const sizeOf = ({ head, body }: ScannedElement): number => ELEMENT_CHARS + head.length + body.length

/** The file of the first sheet: the workbook names its relation, and that names the file. */
async function sheetPath(turns: Turns, workbook: string, relations: string): Promise<string> {
  const [first] = elements(workbook, 'sheet')
  const id = first && attribute(first.head, 'r:id')
  for (const relation of elements(relations, 'Relationship')) {
    const target = attribute(relation.head, 'Target')
    if (attribute(relation.head, 'Id') === id && target !== null)
      return target.startsWith('/') ? target.slice(1) : `xl/${target}`
    if (turns.isDue(sizeOf(relation))) await turns.give()
  }
  return 'xl/worksheets/sheet1.xml'
}

async function sharedTexts(turns: Turns, xml: string): Promise<readonly string[]> {
  const texts: string[] = []
  for (const item of elements(xml, 'si')) {
    if (texts.length === MAX_SHARED) throw unreadable()
    texts.push(textOf(item.body))
    if (turns.isDue(sizeOf(item))) await turns.give()
  }
  return texts
}

/** The text of a cell; a longer one than may be imported is not read. */
const textOf = (body: string): string => richText(body, LIMITS.importCellChars)

/** Whether the style of a cell, by its number, shows a date. */
async function dateStyles(turns: Turns, xml: string): Promise<(style: number) => boolean> {
  const custom = new Set<number>()
  for (const format of elements(xml, 'numFmt')) {
    if (turns.isDue(sizeOf(format))) await turns.give()
    const { head } = format
    const code = (attribute(head, 'formatCode') ?? '').slice(0, 200).replace(/"[^"]*"|\[[^\]]*\]|\\./g, '')
    if (/[ymdhs]/i.test(code)) custom.add(Number(attribute(head, 'numFmtId')))
  }
  const [formats] = elements(xml, 'cellXfs')
  const styles: number[] = []
  for (const style of elements(formats?.body ?? '', 'xf')) {
    if (styles.length === MAX_STYLES) throw unreadable()
    styles.push(Number(attribute(style.head, 'numFmtId') ?? 0))
    if (turns.isDue(sizeOf(style))) await turns.give()
  }
  return (style) => DATE_FORMATS.has(styles[style] ?? 0) || custom.has(styles[style] ?? 0)
}

/** `C12` → 2. */
function columnOf(reference: string | null): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  return letters ? [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1 : null
}

function cellText(
  { head, body }: ScannedElement,
  shared: readonly string[],
  isDate: (style: number) => boolean,
  is1904: boolean,
): string {
  const type = attribute(head, 't') ?? 'n'
  if (type === 'inlineStr') return textOf(body)
  const [value] = elements(body, 'v')
  const raw = value ? textOf(`<t>${value.body}</t>`) : ''
  if (type === 's') return shared[Number(raw)] ?? ''
  if (type === 'b') return raw === '1' ? 'true' : 'false'
  if (type === 'e') return ''
  if (type !== 'n' || raw === '' || !isDate(Number(attribute(head, 's') ?? 0))) return raw
  return dateText(Number(raw), is1904) ?? raw
}

/** A day, or with a part of a day a time without a zone. */
function dateText(serial: number, is1904: boolean): string | null {
  if (!(serial >= 0 && serial < 2_958_466)) return null
  const instant = (is1904 ? EPOCH_1904 : EPOCH_1900) + Math.round(serial * DAY_MS)
  const text = new Date(Math.round(instant / 1_000) * 1_000).toISOString()
  return Number.isInteger(serial) ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 19)}`
}
