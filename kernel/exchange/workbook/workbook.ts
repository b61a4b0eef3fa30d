import { escapeXml, STYLE, textCell, type XlsxCell } from './cell.ts'
import { type ZipFile, zipParts } from './zip.ts'

type Row = readonly unknown[]
type Pages = AsyncGenerator<readonly Row[]>

/** A table: its heading, what makes the cell of each column, and its rows, a page at a time. */
export interface WorkbookSheet {
  readonly title: string
  readonly heads: readonly string[]
  readonly cells: readonly XlsxCell[]
  readonly pages: Pages
}

/** Rows of one sheet, its header among them. */
const MAX_ROWS = 1_048_576
const MAX_WIDTH = 60
const MIN_WIDTH = 8

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

/** The bytes of an Excel workbook (Office Open XML), made as they are read. More rows than a sheet takes go on in another. */
export const workbookParts = (sheet: WorkbookSheet): AsyncGenerator<Uint8Array> => zipParts(workbook(sheet))

async function* workbook({ title, heads, cells, pages }: WorkbookSheet): AsyncGenerator<ZipFile> {
  const rest = new RowReader(pages)
  let sheets = 0
  do {
    sheets++
    yield { name: `xl/worksheets/sheet${sheets}.xml`, parts: sheetParts(heads, cells, rest) }
  } while (!(await rest.isDone()))
  yield { name: 'xl/styles.xml', parts: [STYLES] }
  yield { name: 'xl/workbook.xml', parts: [workbookXml(title, sheets)] }
  yield { name: 'xl/_rels/workbook.xml.rels', parts: [workbookRelations(sheets)] }
  yield { name: '_rels/.rels', parts: [ROOT_RELATIONS] }
  yield { name: '[Content_Types].xml', parts: [contentTypes(sheets)] }
}

/** Reads rows from pages, any number at a time. */
class RowReader {
  readonly #pages: Pages
  #page: readonly Row[] = []

  constructor(pages: Pages) {
    this.#pages = pages
  }

  /** The next rows, `most` of them; none at the end. */
  async take(most: number): Promise<readonly Row[]> {
    if (await this.isDone()) return []
    const taken = this.#page.slice(0, most)
    this.#page = this.#page.slice(most)
    return taken
  }

  async isDone(): Promise<boolean> {
    while (this.#page.length === 0) {
      const { done, value } = await this.#pages.next()
      if (done) return true
      this.#page = value
    }
    return false
  }
}

async function* sheetParts(
  heads: readonly string[],
  cells: readonly XlsxCell[],
  rest: RowReader,
): AsyncGenerator<string> {
  let rows = await rest.take(MAX_ROWS - 1)
  let count = 1
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${widths(heads, rows)}<sheetData><row>${heads.map((head) => textCell(head, STYLE.header)).join('')}</row>`
  while (rows.length > 0) {
    let text = ''
    for (const row of rows) {
      text += '<row>'
      for (let i = 0; i < cells.length; i++) text += cells[i]!(row[i])
      text += '</row>'
    }
    yield text
    count += rows.length
    rows = count < MAX_ROWS ? await rest.take(MAX_ROWS - count) : []
  }
  yield '</sheetData></worksheet>'
}

/** As wide as the header and the first rows need. */
function widths(heads: readonly string[], rows: readonly Row[]): string {
  const width = (head: string, i: number) =>
    Math.max(
      MIN_WIDTH,
      ...[head, ...rows.slice(0, 100).map((row) => shown(row[i]))].map((text) => Math.min(MAX_WIDTH, text.length + 2)),
    )
  const column = (head: string, i: number) =>
    `<col min="${i + 1}" max="${i + 1}" width="${width(head, i)}" customWidth="1"/>`
  return `<cols>${heads.map(column).join('')}</cols>`
}

const shown = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value).slice(0, MAX_WIDTH)

const FORMATS = ['', '', '0', '#,##0.00', 'yyyy\\-mm\\-dd', 'yyyy\\-mm\\-dd\\ hh:mm', '#,##0.00']
const BOLD: ReadonlySet<number> = new Set([STYLE.header, STYLE.total])

const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="${FORMATS.filter((code) => code !== '').length}">${FORMATS.map((code, i) => (code === '' ? '' : `<numFmt numFmtId="${164 + i}" formatCode="${escapeXml(code)}"/>`)).join('')}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${FORMATS.length}">${FORMATS.map((code, i) => `<xf numFmtId="${code === '' ? 0 : 164 + i}" fontId="${BOLD.has(i) ? 1 : 0}" applyNumberFormat="1" applyFont="1"/>`).join('')}</cellXfs></styleSheet>`

/** Names of sheets have at most 31 characters, and some are not allowed. */
const sheetName = (title: string, index: number): string => {
  const end = index === 1 ? '' : ` ${index}`
  const name = title
    .replace(/[[\]:*?/\\]/g, ' ')
    .replace(/^'|'$/g, ' ')
    .trim()
    .slice(0, 31 - end.length)
  return `${name === '' ? 'Sheet' : name}${end}`
}

const each = (sheets: number, make: (index: number) => string) =>
  Array.from({ length: sheets }, (_, i) => make(i + 1)).join('')

const workbookXml = (title: string, sheets: number) =>
  `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${each(sheets, (i) => `<sheet name="${escapeXml(sheetName(title, i))}" sheetId="${i}" r:id="rId${i}"/>`)}</sheets></workbook>`

const workbookRelations = (sheets: number) =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each(sheets, (i) => `<Relationship Id="rId${i}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${i}.xml"/>`)}<Relationship Id="rId${sheets + 1}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`

const ROOT_RELATIONS = `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`

const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const contentTypes = (sheets: number) =>
  `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/>${each(sheets, (i) => `<Override PartName="/xl/worksheets/sheet${i}.xml" ContentType="${TYPES}.worksheet+xml"/>`)}<Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`
