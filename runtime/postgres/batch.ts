import type pg from 'pg'
import utils from 'pg/lib/utils.js'
import type { JsonMember } from '../../kernel/sql/json-rows.ts'
import { type RowReader, readRows } from './data-rows.ts'
import type { PreparedStatement } from './prepared-statements.ts'
import { JsonPage, type ReadRow, valueRows } from './row-readers.ts'

/** A statement with its values. */
export interface Step {
  readonly text: string
  readonly values: readonly unknown[]
  /** How the columns of its rows are read. */
  readonly types: pg.CustomTypesConfig
  /** Members of the JSON that its rows are written as; absent: they are read as values. */
  readonly json?: JsonMembers | undefined
  /** The name it is prepared under; absent: it is parsed for this time only. */
  readonly prepared?: PreparedStatement | undefined
}

export interface JsonMembers {
  readonly members: readonly JsonMember[]
  /** Called with the bytes that are written, row by row; may throw. */
  readonly count: (bytes: number) => void
}

export interface StepResult {
  /** As the server names it: SELECT, INSERT, COMMIT, … */
  readonly command: string
  readonly rowCount: number | null
  /** Their columns depend on the statement. */
  readonly rows: unknown[]
  /** The rows as JSON, if requested; `rows` then has the other columns. */
  readonly json?: Pick<JsonPage, 'bytes' | 'ends'> | undefined
}

/** Members of the connection that the types of `pg` omit or declare with outdated arguments. */
interface Wire {
  parse(message: { readonly text: string; readonly name?: string | undefined }): void
  bind(message: {
    readonly statement?: string | undefined
    readonly values: readonly unknown[]
    readonly valueMapper: (value: unknown) => unknown
  }): void
  describe(message: { readonly type: 'P'; readonly name: string }): void
  execute(message: Readonly<Record<string, never>>): void
  close(message: { readonly type: 'S'; readonly name: string }): void
  sync(): void
  sendCopyFail(reason: string): void
}

/** A view of the connection that collects messages: one large write costs less than many small ones. */
const collecting = (connection: pg.Connection, messages: Buffer[]): Wire =>
  Object.create(connection, { _send: { value: (message: Buffer) => messages.push(message) } })

/**
 * Statements that are sent together and cost one round trip. If one of them fails, the server runs none of the following ones. `pg`
 * calls the methods as the answers arrive.
 */
export class StatementBatch implements pg.Submittable, RowReader {
  /** Called when all statements were answered, or with the first error. */
  callback: (error: Error | null) => void = () => {}
  readonly results: StepResult[] = []
  readonly #steps: readonly Step[]
  /** Names of statements that are no longer needed. */
  readonly #closed: readonly string[]
  #read: ReadRow | undefined
  #rows: unknown[] = []
  #page: JsonPage | undefined
  #failure: Error | null = null
  /** `pg` waits this long for the answer: each statement has its own time limit in the server. */
  readonly query_timeout: number

  /** `answerMs`: how long the answer to one statement may take. */
  constructor(steps: readonly Step[], closed: readonly string[], answerMs: number) {
    this.#steps = steps
    this.#closed = closed
    this.query_timeout = steps.length * answerMs
  }

  submit(connection: pg.Connection): void {
    readRows(connection, this)
    const messages: Buffer[] = []
    const wire = collecting(connection, messages)
    try {
      for (const name of this.#closed) wire.close({ type: 'S', name })
      for (const { text, values, prepared } of this.#steps) {
        if (!prepared?.isParsed) this.#parse(wire, text, prepared)
        wire.bind({ statement: prepared?.name, values, valueMapper: utils.prepareValue })
        if (prepared?.columns === undefined) wire.describe({ type: 'P', name: '' })
        wire.execute({})
      }
    } catch (error) {
      // A value could not be encoded. Answers to statements sent before it still arrive and are discarded.
      this.#failure = error as Error
    }
    wire.sync()
    if (connection.stream.writable) connection.stream.write(Buffer.concat(messages))
    this.#begin()
  }

  /** Prepares a statement. If an earlier attempt failed it may exist or not; closing one that does not exist is no error. */
  #parse(wire: Wire, text: string, prepared: PreparedStatement | undefined): void {
    if (prepared?.isSent) wire.close({ type: 'S', name: prepared.name })
    if (prepared) Object.assign(prepared, { isSent: true, columns: undefined })
    wire.parse({ text, name: prepared?.name })
  }

  /** Columns of a prepared statement stay the same as long as it lives, so they are requested only once. */
  #begin(): void {
    const { prepared } = this.#steps[this.results.length] ?? {}
    this.#rows = []
    this.#page = undefined
    this.#read = undefined
    if (prepared?.columns) this.#readAs(prepared.columns)
  }

  #readAs(columns: readonly pg.FieldDef[]): void {
    const { types, json, prepared } = this.#steps[this.results.length]!
    if (json === undefined) {
      this.#read = valueRows(columns, types)
      return
    }
    const page = new JsonPage()
    const read = page.reader(columns, types, json.members, prepared)
    this.#page = page
    this.#read = (bytes, at) => {
      const rest = read(bytes, at)
      json.count(page.length)
      return rest
    }
  }

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    const { prepared } = this.#steps[this.results.length]!
    if (prepared) Object.assign(prepared, { isParsed: true, columns: fields })
    this.#readAs(fields)
  }

  handleRow(bytes: Buffer, at: number): void {
    if (this.#failure !== null) return
    try {
      this.#rows.push(this.#read!(bytes, at))
    } catch (error) {
      this.#failure = error as Error
    }
  }

  /** Never called: rows go to `handleRow`. `pg` requires the method. */
  handleDataRow(): void {}

  handleCommandComplete({ text }: { readonly text: string }): void {
    const { prepared } = this.#steps[this.results.length]!
    // `pg` passes on no row description for a statement that returns no rows.
    if (prepared) Object.assign(prepared, { isParsed: true, columns: prepared.columns ?? [] })
    const [command = '', ...counts] = text.split(' ')
    const rowCount = Number(counts.at(-1))
    this.results.push({
      command,
      rowCount: Number.isNaN(rowCount) ? null : rowCount,
      rows: this.#rows,
      json: this.#page,
    })
    this.#begin()
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleError(error: Error, connection: pg.Connection): void {
    readRows(connection, null)
    this.callback(this.#failure ?? error)
  }

  handleReadyForQuery(connection: pg.Connection): void {
    readRows(connection, null)
    this.callback(this.#failure)
  }

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: pg.Connection): void {
    ;(connection as unknown as Wire).sendCopyFail('there is nothing to copy')
  }

  handleCopyData(): void {}
}
