import { CompiledQuery, type Kysely, type QueryResult } from 'kysely'
import type { Ahead } from '../services.ts'
import type { JsonMember, JsonRows } from './json-rows.ts'

/**
 * SQL that gives a value of type `T`. The text is constant; a hole takes another `Sql`, or a value, which is always sent as a
 * bound parameter. It is used like Kysely's `sql` but builds no syntax tree: one list read builds about forty pieces, and with
 * Kysely's tree building and compiling them took half of the processor time of the call, four times what it takes now.
 *
 * A statement over tables of `tables.ts` alone uses Kysely's builder, which checks their columns. This tag is for statements with a table of a
 * model, whose columns are known at run time only, or with none; for what the builder cannot say without a piece of SQL text, such as `unnest`,
 * `extract`, `lateral` and a conflict on an expression; for fragments that several statements share; and for changes of several tables in one
 * statement, which are easier to read as SQL.
 */
export class Sql<out T = unknown> {
  readonly strings: readonly string[]
  readonly holes: readonly unknown[]

  constructor(strings: readonly string[], holes: readonly unknown[]) {
    this.strings = strings
    this.holes = holes
  }

  /** Text with `$1`, `$2`, … and the values for them. */
  compile(): { readonly text: string; readonly values: unknown[] } {
    const values: unknown[] = []
    return { text: write(this, values), values }
  }

  /** The same SQL in one piece, for what is written into many statements. */
  flatten(): Sql<T> {
    const strings: string[] = ['']
    const values: unknown[] = []
    collect(this, strings, values)
    return new Sql<T>(strings, values)
  }

  async execute<DB>(db: Kysely<DB>, traits: QueryTraits = {}): Promise<QueryResult<T>> {
    const { text, values } = this.compile()
    const query: CompiledQuery & QueryTraits = { ...CompiledQuery.raw(text, values), ...traits }
    return db.executeQuery<T>(query as CompiledQuery<T>)
  }

  /** The rows as JSON objects of these members. */
  async executeJson<DB>(
    db: Kysely<DB>,
    members: readonly JsonMember[],
    traits: Pick<QueryTraits, 'maxBytes' | 'ahead'> = {},
  ): Promise<JsonRows<T>> {
    const { rows, json }: QueryResult<T> & WithJson = await this.execute(db, { members, ...traits })
    if (json === undefined) throw new Error('The database driver of this host writes no JSON.')
    return { bytes: json.bytes, ends: json.ends, rest: rows }
  }

  /**
   * The rows from a cursor of the transaction, `size` at a time; other statements may run between two pages. A transaction has one
   * such cursor at a time.
   */
  async *pages<DB>(tx: Kysely<DB>, size: number): AsyncGenerator<T[]> {
    await new Sql(['declare svc_pages no scroll cursor for ', ''], [this]).execute(tx)
    const fetch = new Sql<T>([`fetch ${Math.trunc(size)} from svc_pages`], NO_HOLES)
    for (;;) {
      const { rows } = await fetch.execute(tx)
      if (rows.length > 0) yield rows
      if (rows.length < size) break
    }
    await new Sql(['close svc_pages'], NO_HOLES).execute(tx)
  }
}

/** What a driver adds to a result if `members` were given. */
export interface WithJson {
  readonly json?: Pick<JsonRows<unknown>, 'bytes' | 'ends'> | undefined
}

/** Instructions to the driver for a statement. */
export interface QueryTraits {
  /** The rows are written as JSON objects of these. */
  readonly members?: readonly JsonMember[]
  /** Prepare it although it has no values. Other texts without values may contain several statements. */
  readonly isPrepared?: boolean
  /** Its result is refused beyond this size; the driver counts while rows arrive. */
  readonly maxBytes?: number | undefined
  /** The last statement of its transaction: COMMIT is sent along with it. */
  readonly isLast?: boolean
  /** A statement to send before it in the same round trip. */
  readonly ahead?: Ahead | undefined
}

export type SqlBool = boolean

function write(piece: Sql, values: unknown[]): string {
  const { strings, holes } = piece
  let text = strings[0]!
  for (let i = 0; i < holes.length; i++) {
    const hole = holes[i]
    if (hole instanceof Sql) text += write(hole, values)
    else text += `$${values.push(requireValue(hole))}`
    text += strings[i + 1]!
  }
  return text
}

function collect({ strings, holes }: Sql, texts: string[], values: unknown[]): void {
  texts[texts.length - 1] += strings[0]!
  holes.forEach((hole, index) => {
    if (hole instanceof Sql) collect(hole, texts, values)
    else {
      values.push(requireValue(hole))
      texts.push('')
    }
    texts[texts.length - 1] += strings[index + 1]!
  })
}

function requireValue(hole: unknown): unknown {
  if (isValue(hole)) return hole
  throw new TypeError(`A hole of the sql tag takes Sql or a value, not ${describe(hole)}.`)
}

/**
 * Whether PostgreSQL can take it as a parameter: scalars, lists of values, dates, bytes and plain objects (JSON). Anything else, such as a
 * fragment of Kysely or DDL, the driver would send as JSON text, and the statement would silently mean something else.
 */
function isValue(hole: unknown): boolean {
  if (typeof hole === 'function' || typeof hole === 'symbol') return false
  if (typeof hole !== 'object' || hole === null) return true
  if (Array.isArray(hole)) return hole.every(isValue)
  if (hole instanceof Date || hole instanceof Uint8Array) return true
  const prototype: unknown = Object.getPrototypeOf(hole)
  return (prototype === Object.prototype || prototype === null) && !isOfKysely(hole)
}

/** Compiled queries and nodes of Kysely are plain objects, but frozen ones, unlike JSON that somebody sent. */
const isOfKysely = (value: object): boolean =>
  Object.isFrozen(value) && ('queryId' in value || ('kind' in value && String(value.kind).endsWith('Node')))

const describe = (hole: unknown) => (typeof hole === 'object' ? `a ${hole?.constructor.name}` : `a ${typeof hole}`)

const NO_HOLES: readonly unknown[] = []

const quote = (name: string) => `"${name.includes('"') ? name.replaceAll('"', '""') : name}"`

function quotePath(path: string): string {
  const dot = path.indexOf('.')
  return dot < 0 ? quote(path) : `${quote(path.slice(0, dot))}.${quotePath(path.slice(dot + 1))}`
}

const tag = <T = unknown>(strings: TemplateStringsArray, ...holes: readonly unknown[]): Sql<T> =>
  new Sql<T>(strings, holes)

/**
 * The tag as addons get it: constant text and bound values, without the helpers that make SQL of names or text at run time. A list of
 * strings that is no template is refused.
 */
export function addonSql<T = unknown>(strings: TemplateStringsArray, ...holes: readonly unknown[]): Sql<T> {
  if (!('raw' in strings)) throw new TypeError('sql is the tag of a template: sql`select …`.')
  return new Sql<T>(strings, holes)
}

const COMMA = new Sql([', '], NO_HOLES)

/** Names are quoted, values bound; the text of a template is the only SQL there is. */
export const sql = Object.assign(tag, {
  /** A bound value, even if it is a list. */
  val: <T>(value: T): Sql<T> => new Sql<T>(['', ''], [value]),
  /** A column, `table.column` or a bare name. */
  ref: <T = unknown>(path: string): Sql<T> => new Sql<T>([quotePath(path)], NO_HOLES),
  /** A table, with its schema or without, or the alias of one. */
  table: (name: string): Sql => new Sql([quotePath(name)], NO_HOLES),
  /** Any other name, such as the alias of a column; dots are part of it. */
  id: (name: string): Sql => new Sql([quote(name)], NO_HOLES),
  /** Joins SQL or values with a separator. */
  join(items: readonly unknown[], separator: Sql = COMMA): Sql {
    const strings = ['']
    const holes: unknown[] = []
    items.forEach((item, index) => {
      if (index > 0) {
        holes.push(separator)
        strings.push('')
      }
      holes.push(item)
      strings.push('')
    })
    return new Sql(strings, holes)
  },
  /** Text that is SQL already. */
  raw: <T = unknown>(text: string): Sql<T> => new Sql<T>([text], NO_HOLES),
})
