import type { WireDomain } from '../../../../kernel/view/wire.ts'
import { type ExportColumn, reportLocale } from './fields.ts'

export type ExportFormat = 'csv' | 'xlsx' | 'pdf'

export type PageSize = 'a4' | 'letter' | 'legal'

/** Which records: those selected, those that match the search, or all that the action shows. */
export type ExportRows = 'selected' | 'matching' | 'all'

/** The list that an export starts from. */
export interface ExportSource {
  readonly model: string
  readonly title: string
  readonly actionId: number
  readonly domain: WireDomain
  /** Domain of the action alone, which matches all that it shows. */
  readonly allDomain: WireDomain
  /** In the syntax of the server. */
  readonly order: string
  readonly selected: readonly number[]
  /** The number that match. */
  readonly matching: number
  /** That number as the list shows it, with a plus if the server stopped counting. */
  readonly matchingText: string
  readonly columns: readonly ExportColumn[]
  /** Numbers that the list sums up; amounts always are. */
  readonly summed: ReadonlySet<string>
}

/** Longer addresses are refused by the server. */
const MAX_HREF = 8_000

/** The address of the file; null if it would be too long because of a large selection or many long headings. */
export function exportAddress(
  source: ExportSource,
  { rows, format, columns, pageSize, hasTotals, limit }: ExportChoice & { readonly limit?: number },
): string | null {
  const locale = reportLocale()
  const hasHeadings = columns.some(({ heading }) => heading !== undefined)
  const query = new URLSearchParams({
    model: source.model,
    fields: columns.map(({ path }) => path).join(','),
    labels: '1',
    ...(hasHeadings && { headings: JSON.stringify(columns.map(({ heading = '' }) => heading)) }),
    ...(source.actionId > 0 && { action: String(source.actionId) }),
    ...(source.order !== '' && { order: source.order }),
    ...(rows === 'matching' && { domain: JSON.stringify(source.domain) }),
    ...(rows === 'selected' && { ids: source.selected.join(',') }),
    ...(format === 'csv' && limit === undefined && { bom: '1' }),
    ...(format === 'pdf' && { page_size: pageSize }),
    ...(format === 'pdf' && locale !== null && { locale }),
    ...(limit === undefined ? { totals: hasTotals ? '1' : '0' } : { limit: String(limit) }),
  })
  const href = `/web/export/${format}?${query}`
  return href.length > MAX_HREF ? null : href
}

export interface ExportChoice {
  readonly rows: ExportRows
  readonly format: ExportFormat
  readonly columns: readonly ExportColumn[]
  readonly pageSize: PageSize
  readonly hasTotals: boolean
}

const CELL = /("(?:[^"]|"")*"|[^,\r]*)(,|\r\n|$)/y

/** The rows of a CSV file. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]]
  for (CELL.lastIndex = 0; CELL.lastIndex < text.length; ) {
    const [, cell = '', end] = CELL.exec(text) ?? []
    rows.at(-1)!.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === '\r\n') rows.push([])
  }
  return rows.filter((row) => row.length > 0)
}
