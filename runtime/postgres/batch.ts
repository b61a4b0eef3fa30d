import type pg from 'pg'
import utils from 'pg/lib/utils.js'
import type { Prepared } from './prepared-statements.ts'

/** A statement with its values. */
export interface Step {
  readonly text: string
  readonly values: readonly unknown[]
  /** How the columns of its rows are read. */
  readonly types: pg.CustomTypesConfig
  /** The name it is prepared under; absent: it is parsed for this time only. */
  readonly prepared?: Prepared | undefined
}

export interface StepResult {
  /** As the server names it: SELECT, INSERT, COMMIT, … */
  readonly command: string
  readonly rowCount: number | null
  // biome-ignore lint/suspicious/noExplicitAny: what a row holds only its statement knows
  readonly rows: any[]
}

/** What the declaration of `pg` leaves out of its connection, or has with arguments that are gone. */
interface Wire {
  readonly stream: { cork?(): void; uncork?(): void }
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

type Parse = (text: string) => unknown

/**
 * Statements that are sent in one piece and cost one round trip. When one of them fails, the server runs none of those behind it. `pg`
 * calls the methods as the answers arrive.
 */
export class Batch implements pg.Submittable {
  /** Called once all is answered, or has failed. */
  callback: (error: Error | null) => void = () => {}
  readonly results: StepResult[] = []
  readonly #steps: readonly Step[]
  /** Names of statements that are no longer needed. */
  readonly #closed: readonly string[]
  #names: readonly string[] = []
  #parsers: readonly Parse[] = []
  #rows: unknown[] = []
  #failure: Error | null = null

  constructor(steps: readonly Step[], closed: readonly string[]) {
    this.#steps = steps
    this.#closed = closed
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire
    wire.stream.cork?.()
    try {
      for (const name of this.#closed) wire.close({ type: 'S', name })
      for (const { text, values, prepared } of this.#steps) {
        if (!prepared?.isParsed) this.#parse(wire, text, prepared)
        wire.bind({ statement: prepared?.name, values, valueMapper: utils.prepareValue })
        if (prepared?.columns === undefined) wire.describe({ type: 'P', name: '' })
        wire.execute({})
      }
    } catch (error) {
      // A value that cannot be sent. What is on its way already is answered, and thrown away with the rest.
      this.#failure = error as Error
    } finally {
      wire.sync()
      wire.stream.uncork?.()
    }
    this.#begin()
  }

  /** A statement that failed the first time may be there or not; closing one that is not there is no error. */
  #parse(wire: Wire, text: string, prepared: Prepared | undefined): void {
    if (prepared?.isSent) wire.close({ type: 'S', name: prepared.name })
    if (prepared) Object.assign(prepared, { isSent: true, columns: undefined })
    wire.parse({ text, name: prepared?.name })
  }

  /** Columns of a prepared statement stay the same as long as it lives, so they are asked for once. */
  #begin(): void {
    const { prepared, types } = this.#steps[this.results.length] ?? {}
    this.#rows = []
    if (prepared?.columns && types) this.#readAs(prepared.columns, types)
  }

  #readAs(columns: readonly pg.FieldDef[], types: pg.CustomTypesConfig): void {
    this.#names = columns.map(({ name }) => name)
    this.#parsers = columns.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text'))
  }

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    const { prepared, types } = this.#steps[this.results.length]!
    if (prepared) Object.assign(prepared, { isParsed: true, columns: fields })
    this.#readAs(fields, types)
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#failure !== null) return
    const row: Record<string, unknown> = {}
    try {
      for (let i = 0; i < fields.length; i++) {
        const text = fields[i]!
        row[this.#names[i]!] = text === null ? null : this.#parsers[i]!(text)
      }
      this.#rows.push(row)
    } catch (error) {
      this.#failure = error as Error
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const { prepared } = this.#steps[this.results.length]!
    // Of one without rows `pg` passes on no description.
    if (prepared) Object.assign(prepared, { isParsed: true, columns: prepared.columns ?? [] })
    const [command = '', ...counts] = text.split(' ')
    const rowCount = Number(counts.at(-1))
    this.results.push({ command, rowCount: Number.isNaN(rowCount) ? null : rowCount, rows: this.#rows })
    this.#begin()
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleError(error: Error): void {
    this.callback(this.#failure ?? error)
  }

  handleReadyForQuery(): void {
    this.callback(this.#failure)
  }

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: pg.Connection): void {
    ;(connection as unknown as Wire).sendCopyFail('there is nothing to copy')
  }

  handleCopyData(): void {}
}
