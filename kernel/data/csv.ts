import Papa from 'papaparse'
import { counted } from '../i18n/counted.ts'
import type { DataProblem } from './problem.ts'
import type { ReadFile, SourceField, SourceLine, SourceRecord, SourceValue, TextFile } from './source.ts'
import { fullXmlid, splitXmlid } from './xmlid.ts'

interface Row {
  readonly line: number
  readonly cells: readonly string[]
}

/** How a CSV file is read: the model, and the field of each column. */
interface Layout {
  readonly model: string
  /** By column; null for the external id, `line_ids/quantity` for a field of lines. */
  readonly fields: readonly (string | null)[]
  /** Fields whose value is taken from the external id. */
  readonly named: readonly string[]
}

const ACCESS_HEADER = ['id', 'model', 'group', 'read', 'write', 'create', 'unlink']

const ACCESS_LAYOUT: Layout = {
  model: 'sys.access',
  fields: [null, 'model', 'group_id', 'perm_read', 'perm_write', 'perm_create', 'perm_unlink'],
  named: ['name'],
}

const MODEL_FILE = /(?:^|\/)([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+)\.csv$/

/**
 * Records of a CSV data file: access lines, known by their header, or the records of the model the file is named after
 * (`core.country.csv`), with columns `id`, `field` and `field/id`. Columns like `line_ids/quantity` fill records that belong
 * to this one; a row with only such columns adds another line to the record above. Empty cells are ignored.
 */
export function readCsv(module: string, { name: file, text }: TextFile): ReadFile {
  const rows = readRows(text)
  const [header] = rows
  if (!header) return { records: [], problems: [{ file, line: 1, reason: 'The file is empty.' }] }
  const layout = layoutOf(file, header.cells)
  if (typeof layout === 'string') return { records: [], problems: [{ file, line: header.line, reason: layout }] }
  const records: SourceRecord[] = []
  const problems: DataProblem[] = []
  let last: Map<string, SourceField> | undefined
  for (const { line, cells } of rows.slice(1)) {
    const report = (reason: string) => problems.push({ file, line, reason })
    const xmlid = fullXmlid(module, cells[layout.fields.indexOf(null)] ?? '')
    const row = readRow(layout, cells, line)
    if (cells.length !== header.cells.length)
      report(`Has ${counted(cells.length, 'cell')}, the header has ${header.cells.length}.`)
    else if (row.isLineOnly && last) addLines(last, row.lines)
    else if (xmlid === null) report('The id must be made of letters, digits and _.')
    else {
      const fields = new Map<string, SourceField>()
      for (const field of layout.named)
        fields.set(field, { line, value: { kind: 'text', text: splitXmlid(xmlid).name } })
      for (const [field, value] of row.values) fields.set(field, { line, value })
      addLines(fields, row.lines)
      last = fields
      records.push({ file, line, xmlid, model: layout.model, noupdate: false, fields })
    }
  }
  return { records, problems }
}

interface ReadRow {
  readonly values: ReadonlyMap<string, SourceValue>
  /** The line in this row, by field. */
  readonly lines: ReadonlyMap<string, SourceLine>
  /** The row has only line columns and no id. */
  readonly isLineOnly: boolean
}

function readRow(layout: Layout, cells: readonly string[], line: number): ReadRow {
  const values = new Map<string, SourceValue>()
  const found = new Map<string, [string, SourceValue][]>()
  for (const [i, column] of layout.fields.entries()) {
    const value = readCell(cells[i] ?? '')
    if (column === null || value === null) continue
    const [owner = '', name] = column.split('/')
    if (name === undefined) values.set(column, value)
    else found.set(owner, [...(found.get(owner) ?? []), [name, value]])
  }
  const lines = new Map([...found].map(([owner, fields]) => [owner, { line, fields }]))
  const hasId = (cells[layout.fields.indexOf(null)] ?? '').trim() !== ''
  return { values, lines, isLineOnly: !hasId && values.size === 0 && lines.size > 0 }
}

function addLines(fields: Map<string, SourceField>, lines: ReadonlyMap<string, SourceLine>): void {
  for (const [owner, added] of lines) {
    const before = fields.get(owner)
    const earlier = before?.value.kind === 'lines' ? before.value.lines : []
    fields.set(owner, { line: before?.line ?? added.line, value: { kind: 'lines', lines: [...earlier, added] } })
  }
}

function readCell(cell: string): SourceValue | null {
  const text = cell.trim()
  return text === '' ? null : { kind: 'loose', text }
}

/** The layout, or why there is none. */
function layoutOf(file: string, header: readonly string[]): Layout | string {
  if (header.join() === ACCESS_HEADER.join()) return ACCESS_LAYOUT
  const model = MODEL_FILE.exec(file)?.[1]
  if (model === undefined) return `The header must be ${ACCESS_HEADER.join()}, or the file be named after a model.`
  if (!header.includes('id')) return 'There is no column id.'
  const fields = header.map((column) => (column === 'id' ? null : column.replace(/\/id$/, '')))
  if (new Set(fields).size !== fields.length) return 'A column is there twice.'
  return { model, fields, named: [] }
}

/** Rows with the line each begins at, blank ones left out. */
function readRows(text: string): Row[] {
  const rows: Row[] = []
  let line = 1
  let from = 0
  Papa.parse<string[]>(text, {
    step: ({ data, meta }) => {
      if (data.some((cell) => cell.trim() !== '')) rows.push({ line, cells: data })
      line += text.slice(from, meta.cursor).split('\n').length - 1
      from = meta.cursor
    },
  })
  return rows
}
