/** A document that is ready to be laid out: texts in the language of its reader, no fields and no rights. Plain data. */
export interface DocumentContent {
  readonly title: string
  /** BCP 47, for programs that read the text aloud. */
  readonly lang: string
  readonly author: string
  /** ISO instant. */
  readonly createdAt: string
  readonly paper: PaperSize
  /** `auto`: landscape if the widest table needs it. */
  readonly orientation: 'portrait' | 'auto'
  readonly letterhead: Letterhead
  readonly footer: Footer
  readonly blocks: readonly Block[]
}

export type PaperSize = 'a4' | 'legal' | 'letter'

export interface Letterhead {
  readonly name: string
  /** PNG or JPEG; what cannot be drawn is left out. */
  readonly logo: Uint8Array | null
  /** At the right: on the first page, and on those after it. */
  readonly note: string
  readonly laterNote: string
  /** A letter has its name large on the first page. */
  readonly isLetter: boolean
}

export interface Footer {
  readonly columns: readonly { readonly heading: string; readonly lines: readonly string[] }[]
  readonly note: string
  /** With `{page}` and `{pages}`. */
  readonly pageText: string
}

export type Fact = readonly [label: string, value: string]

export type Block = TitleBlock | AddressBlock | FactsBlock | FieldsBlock | TextBlock | TableBlock | SumBlock | SignBlock

export interface TitleBlock {
  readonly kind: 'title'
  readonly text: string
  readonly subtitle: string
}

/** Where a letter goes, as a window envelope shows it, and what it is about. */
export interface AddressBlock {
  readonly kind: 'address'
  readonly from: string
  readonly lines: readonly string[]
  readonly facts: readonly Fact[]
}

/** Facts in one line. */
export interface FactsBlock {
  readonly kind: 'facts'
  readonly facts: readonly Fact[]
}

/** Facts below each other, in two columns; long values take the whole width. */
export interface FieldsBlock {
  readonly kind: 'fields'
  readonly facts: readonly Fact[]
}

export interface TextBlock {
  readonly kind: 'text'
  readonly heading: string
  readonly text: string
}

export interface TableBlock {
  readonly kind: 'table'
  readonly heading: string
  /** `list`: one line close to the next, every other tinted. `lines`: what a letter offers, with room and rules. */
  readonly look: 'list' | 'lines'
  readonly columns: readonly TableColumn[]
  readonly rows: readonly TableRow[]
  /** Rows below the others. */
  readonly totals: readonly (readonly TableCell[])[]
}

export type TableRow = readonly TableCell[] | AcrossRow

/** A row across the table: a text, or a heading with the sum of the rows down to the next heading, in its column. */
export interface AcrossRow {
  readonly across: 'section' | 'note'
  readonly text: string
  readonly sum: { readonly column: number; readonly text: string } | null
}

export const isAcross = (row: TableRow): row is AcrossRow => 'across' in row

export interface TableColumn {
  readonly label: string
  readonly align: 'start' | 'end'
  /** The column that names the row. */
  readonly isName?: boolean
}

/** A text, or one with details below it. */
export type TableCell = string | { readonly text: string; readonly details: string }

/** The totals of a table, at the right, with a note beside them. */
export interface SumBlock {
  readonly kind: 'sum'
  readonly note: string
  readonly facts: readonly Fact[]
  readonly total: Fact
}

/** A place for signatures. */
export interface SignBlock {
  readonly kind: 'sign'
  readonly heading: string
  readonly text: string
  readonly places: readonly string[]
}

/** Port of a host: makes the PDF file of a document, off the event loop where there are threads. */
export interface DocumentRenderer {
  /** Null if too many documents are waiting already, or this one waited too long. */
  render(content: DocumentContent, options: RenderOptions): Promise<Uint8Array | null>
}

export interface RenderOptions {
  /** Identifies the requester; one document of each is made at a time. */
  readonly subject: string
  /** Ends the wait and the work. */
  readonly signal?: AbortSignal | undefined
  /** How long to wait for the turn, and the time for the work itself; by default as long as a browser waits. */
  readonly waitMs?: number
  readonly workMs?: number
}
