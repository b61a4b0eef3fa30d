import type { DataProblem } from './problem.ts'
import type { Xmlid } from './xmlid.ts'

/** A file of an addon, imported as a text module, so that bundlers and workerd include it. */
export interface TextFile {
  /** Path inside the addon; errors name it, and its ending says how it is read. */
  readonly name: string
  readonly text: string
}

/** A value as written in a data file, before it is parsed for its field. */
export type SourceValue =
  | { readonly kind: 'text'; readonly text: string }
  /** External ids, full form. */
  | { readonly kind: 'refs'; readonly xmlids: readonly Xmlid[] }
  /** A JSON value in which `{"ref": "module.name"}` stands for the id of a record. */
  | { readonly kind: 'json'; readonly value: unknown }
  /** Records that belong to this one, from cells of its own row and the rows below it. */
  | { readonly kind: 'lines'; readonly lines: readonly SourceLine[] }
  /** An attribute or cell whose field decides: external ids for a relation, text for the rest. */
  | { readonly kind: 'loose'; readonly text: string }

export interface SourceField {
  readonly line: number
  readonly value: SourceValue
}

export interface SourceLine {
  readonly line: number
  readonly fields: readonly (readonly [name: string, value: SourceValue])[]
}

/** One record of a data file. */
export interface SourceRecord {
  readonly file: string
  readonly line: number
  readonly xmlid: Xmlid
  readonly model: string
  /** Created once and never updated afterwards. */
  readonly noupdate: boolean
  readonly fields: ReadonlyMap<string, SourceField>
}

export interface ReadFile {
  readonly records: readonly SourceRecord[]
  readonly problems: readonly DataProblem[]
}
