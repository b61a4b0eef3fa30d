import type { Env } from '../../env.ts'
import { rootScope } from '../../orm/statement/scope.ts'
import { type CsvOptions, csvHead, csvLines } from './csv.ts'
import { csvBytes } from './csv-bytes.ts'
import type { PreparedExport } from './export-query.ts'
import { letGo, pageSize, readAhead, readRecords, recordPages } from './export-rows.ts'
import { plainRows, SEPARATOR } from './plain-rows.ts'

interface PlainRow {
  readonly line: string
}

/** The bytes of a CSV file whose rows PostgreSQL writes; null if it cannot. The file is the one that `csvParts` makes. */
export function plainCsv(
  env: Env,
  { columns, tree: { root }, query }: PreparedExport,
  options: CsvOptions,
  onPage: (rows: number) => void,
): AsyncGenerator<Uint8Array> | null {
  const plain = plainRows(rootScope(env, root.model), root, options.labels === true)
  if (plain === null) return null
  const encoder = new TextEncoder()
  const toLines = csvBytes(plain.cells)
  const linesOf = csvLines(env, columns, options)

  /** Reads the records of a page again, value by value, because one of its texts contains the separator; this is rare. */
  const again = async (rows: readonly PlainRow[], head: string): Promise<Uint8Array> => {
    const ids = rows.map(({ line }) => Number(line.slice(line.lastIndexOf(SEPARATOR) + 1)))
    const records = new Map((await readRecords(env, root, ids)).map(({ id, values }) => [id, values]))
    return encoder.encode(head + linesOf(ids.map((id) => records.get(id)!)))
  }

  return (async function* () {
    let head = csvHead(columns, options)
    const pages = recordPages<PlainRow>(env, root.model, { ...query, ...plain, size: pageSize(columns) })
    for await (const rows of readAhead(pages)) {
      onPage(rows.length)
      const lines = toLines(rows, encoder.encode(head)) ?? (await again(rows, head))
      letGo(rows)
      yield lines
      head = ''
    }
    if (head !== '') yield encoder.encode(head)
  })()
}
