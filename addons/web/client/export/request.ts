import type { WireDomain } from '../../../../kernel/view/wire.ts'
import type { ExportPath } from './fields.ts'

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
  /** In the syntax of the server. */
  readonly order: string
  readonly selected: readonly number[]
  /** The number that match. */
  readonly matching: number
  /** The same as the list shows it, with a plus where the server stopped counting. */
  readonly matchingText: string
  readonly columns: readonly ExportPath[]
}

/** Longer addresses are refused by the server. */
const MAX_HREF = 8_000

/** The address of the file; null if it would be too long, which only a large selection makes it. */
export function exportAddress(
  source: ExportSource,
  { rows, format, columns, pageSize, limit }: ExportChoice & { readonly limit?: number },
): string | null {
  const query = new URLSearchParams({
    model: source.model,
    fields: columns.map(({ path }) => path).join(','),
    labels: '1',
    ...(source.actionId > 0 && { action: String(source.actionId) }),
    ...(source.order !== '' && { order: source.order }),
    ...(rows === 'matching' && { domain: JSON.stringify(source.domain) }),
    ...(rows === 'selected' && { ids: source.selected.join(',') }),
    ...(format === 'csv' && limit === undefined && { bom: '1' }),
    ...(format === 'pdf' && { page_size: pageSize }),
    ...(limit !== undefined && { limit: String(limit) }),
  })
  const href = `/web/export/${format}?${query}`
  return href.length > MAX_HREF ? null : href
}

export interface ExportChoice {
  readonly rows: ExportRows
  readonly format: ExportFormat
  readonly columns: readonly ExportPath[]
  readonly pageSize: PageSize
}

/** Saves the answer of an address as a file. */
export function saveFile(href: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = ''
  link.click()
}

/** The same for an answer that may be a refusal, which is thrown: a PDF file has a limit, and is made before it is sent. */
export async function fetchFile(href: string, name: string): Promise<void> {
  const answer = await fetch(href, { headers: { accept: 'application/json' } })
  if (!answer.ok) throw new Error(((await answer.json()) as Refused).error.message)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await answer.blob())
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

export interface Refused {
  readonly error: { readonly message: string }
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
