import { requireModel } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import { badRequest } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import type { Model } from '../../model/registry.ts'
import { visible } from '../../orm/record/search.ts'
import { orderBy, parseOrder, sortKeys } from '../../orm/statement/order.ts'
import { allOf, columnOf, compileRule, fromTable, parseChecked, rootScope } from '../../orm/statement/scope.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import type { Archived } from '../../work/model-api.ts'
import type { ExportColumn, ExportNode, ExportTree } from './columns.ts'
import { type JsonRow, type NodeRecord, nodeReader } from './read-node.ts'

/** Values by column: of links the name, of several links a list of names, of everything else the wire value. */
export type ExportRow = readonly unknown[]

export interface ExportQuery {
  readonly domain: readonly unknown[]
  readonly order?: string | undefined
  readonly archived?: Archived | undefined
  readonly limit?: number | undefined
  /** More rows than these are refused, those of lines included; default `LIMITS.exportLines` for each record. */
  readonly rows?: number
  /** Called with the number of characters that were read, before they are converted; it may throw. */
  readonly meter?: (characters: number) => void
  /** Characters of stored texts that are read, by column; without it all of them. */
  readonly chars?: readonly number[]
}

/** Rows that are made at once, and cells of them, so that a page fits into memory and takes a few milliseconds. */
const PAGE = 1_000
const PAGE_CELLS = 8_000
/** How many usual cells a long one counts as: a text, and a file. */
const LONG_CELLS = { text: 20, file: 800 } as const
const LONG_TEXTS: ReadonlySet<string> = new Set(['text', 'html', 'json'])

export function pageSize(columns: readonly ExportColumn[]): number {
  const weights = columns.map(({ field }) => {
    if (field.type.summary !== null) return LONG_CELLS.file
    return LONG_TEXTS.has(field.type.name) ? LONG_CELLS.text : 1
  })
  const cells = weights.reduce((sum, weight) => sum + weight, 0)
  return Math.max(1, Math.min(PAGE, Math.floor(PAGE_CELLS / cells)))
}

/**
 * The rows of an export, page by page from a cursor of the transaction, with the access of the caller. Lines of a record follow
 * in rows of their own, in which the cells of the record are empty.
 */
export async function* exportRows(
  env: Env,
  { root, columns }: ExportTree,
  query: ExportQuery,
): AsyncGenerator<readonly ExportRow[]> {
  const reader = nodeReader(rootScope(env, root.model), root, query)
  const size = pageSize(columns)
  const pages = recordPages<JsonRow>(env, root.model, { ...query, ...reader, size })
  const flat = rowMaker(root, { width: columns.length, size, lines: query.rows ?? LIMITS.exportLines })
  for await (const page of reader.isDirect ? readAhead(pages) : pages) {
    query.meter?.(charactersOf(page))
    const records = await reader.read(page)
    letGo(page)
    yield* flat(env, records, await loadLinks(env, root, records, query))
  }
}

/**
 * Empties a page that has been used. Each page is referenced by the one before it, so one page in old memory would keep all later ones
 * alive until a full garbage collection: 80 MB for a million rows.
 */
export function letGo(page: unknown[]): void {
  page.length = 0
}

/** What a statement selects of each record, and how many records it reads at a time. */
export interface PageQuery extends ExportQuery {
  readonly select: Sql<unknown>
  readonly joins?: Sql<unknown>
  readonly size: number
}

/** Pages of the records that the caller may read. */
export function recordPages<Row>(
  env: Env,
  model: Model,
  { select, joins = sql``, size, domain, order, archived, limit }: PageQuery,
): AsyncGenerator<Row[]> {
  requireModel(env, model, 'read')
  const scope = rootScope(env, model)
  const node = parseChecked(env, model, domain)
  const keys = sortKeys(scope, parseOrder(env, model, order))
  return sql<Row>`
    select ${select} from ${fromTable(scope)} ${joins} where ${visible(scope, node, archived)}
    order by ${orderBy(keys)} ${limit === undefined ? sql`` : sql`limit ${limit}`}`.pages(env.tx, size)
}

/** While a page is being worked on, the database prepares the next. */
export async function* readAhead<T>(pages: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = pages.next()
  try {
    for (let page = await next; !page.done; page = await next) {
      next = pages.next()
      // The error is thrown where the promise is awaited; without this it would count as unhandled until then.
      next.catch(() => undefined)
      yield page.value
    }
  } finally {
    await next.catch(() => undefined)
    await pages.return(undefined)
  }
}

/** Records behind the links of a node, by id; one entry per link. */
type Linked = readonly LinkedRecords[]

interface LinkedRecords {
  readonly byId: ReadonlyMap<number, NodeRecord>
  readonly linked: Linked
}

async function loadLinks(
  env: Env,
  { links }: ExportNode,
  records: readonly NodeRecord[],
  query: ExportQuery,
): Promise<Linked> {
  const loaded: LinkedRecords[] = []
  for (const [index, { node }] of links.entries()) {
    const ids = [...new Set(records.flatMap(({ linked }) => linked[index]!))]
    // Each linked record takes a row.
    if (query.rows !== undefined && ids.length > query.rows) throw tooManyLines(query.rows)
    const found = ids.length === 0 ? [] : await readRecords(env, node, ids, query)
    loaded.push({
      byId: new Map(found.map((record) => [record.id, record])),
      linked: await loadLinks(env, node, found, query),
    })
  }
  return loaded
}

/** Those of the records that the caller may read. */
export async function readRecords(
  env: Env,
  node: ExportNode,
  ids: readonly number[],
  { chars, meter }: Pick<ExportQuery, 'chars' | 'meter'> = {},
): Promise<NodeRecord[]> {
  const { model }: { readonly model: Model } = node
  requireModel(env, model, 'read')
  const scope = rootScope(env, model)
  const reader = nodeReader(scope, node, { chars })
  const { rows } = await sql<JsonRow>`
    select ${reader.select} from ${fromTable(scope)}
    where ${allOf([sql<SqlBool>`${columnOf(scope, 'id')} = any(${ids}::int[])`, compileRule(scope, 'read')])}`.execute(
    env.tx,
  )
  meter?.(charactersOf(rows))
  return reader.read(rows)
}

const charactersOf = (rows: readonly JsonRow[]): number =>
  rows.reduce((sum, row) => sum + Object.values(row).reduce((length, part) => length + part.length, 0), 0)

const tooManyLines = (lines: number) =>
  badRequest('limit_exceeded', `A record has at most ${lines} rows with its lines.`)

type RowMaker = (env: Env, records: readonly NodeRecord[], linked: Linked) => AsyncGenerator<readonly ExportRow[]>

interface RowShape {
  readonly width: number
  /** Rows of a page. */
  readonly size: number
  /** Rows of one record at most. */
  readonly lines: number
}

/** Makes the rows of records. Without lines every record is one row; if its leaves are the columns in order, its values are the row. */
function rowMaker(root: ExportNode, { width, size, lines }: RowShape): RowMaker {
  const isPlain = root.links.length === 0 && root.leaves.every(({ column }, index) => column === index)
  if (isPlain)
    return async function* (_env, records) {
      yield records.map(({ values }) => values)
    }
  return async function* (env, records, linked) {
    let made: unknown[][] = []
    for (const record of records) {
      const rows: unknown[][] = [emptyRow(width)]
      fill(rows, { top: 0, lines }, root, record, linked)
      made = made.concat(rows)
      if (made.length < size) continue
      yield made
      made = []
      // A record may have many lines: give other requests their turn.
      await env.services.sleep(0)
    }
    if (made.length > 0) yield made
  }
}

const emptyRow = (width: number): unknown[] => new Array<unknown>(width).fill(null)

/** Writes a record into the rows from `top` on, and returns how many it takes. */
function fill(
  rows: unknown[][],
  { top, lines }: { readonly top: number; readonly lines: number },
  { leaves, links }: ExportNode,
  record: NodeRecord,
  linked: Linked,
): number {
  if (top >= lines) throw tooManyLines(lines)
  const row = rows[top] ?? emptyRow(rows[0]!.length)
  rows[top] = row
  leaves.forEach(({ column }, i) => {
    row[column] = record.values[i]
  })
  let height = 1
  links.forEach(({ node }, i) => {
    const { byId, linked: below } = linked[i]!
    let used = 0
    for (const id of record.linked[i]!) {
      const child = byId.get(id)
      if (child) used += fill(rows, { top: top + used, lines }, node, child, below)
    }
    height = Math.max(height, used)
  })
  return height
}
