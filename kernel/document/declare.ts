import type { Env } from '../env.ts'
import type { Registry } from '../model/registry.ts'

/** A field of the record, or one behind its links: `partner_id.country_id`. */
export type DocumentPath = string

/** A label, which is translated, and the value beside it. */
export interface DocumentFact {
  readonly label: string
  readonly path: DocumentPath
}

export interface DocumentColumn extends DocumentFact {
  /** The first line of the text stands out, the others are details below it. */
  readonly hasDetails?: boolean
  /** What the number counts, written behind it. */
  readonly unit?: DocumentPath
  /** Written with a percent sign. */
  readonly isPercent?: boolean
}

/** The table of the lines of a record. */
export interface DocumentLines {
  readonly path: DocumentPath
  readonly columns: readonly DocumentColumn[]
  /**
   * Lines that are written across the table. `kind` is a selection of the line: `section` makes a heading with the sum of the column `sum`
   * down to the next heading, any other value a text.
   */
  readonly across?: { readonly kind: DocumentPath; readonly text: DocumentPath; readonly sum?: DocumentPath }
}

/** A part of a sum that no field has, such as the amount of one tax. */
export interface SumPart {
  /** In the language of `env`. */
  readonly label: string
  readonly amount: number
  /** The amount it was computed from. */
  readonly base?: number
}

/**
 * A letter about a record: what it says and from which fields. The kernel decides how it looks. Everything is read with the rights of
 * the caller. A fact without a value is left out, and so is a column without any.
 */
export interface DocumentDef {
  readonly name: string
  readonly model: string
  /** What the document is called, before its number; it may depend on the value of a selection. */
  readonly title: string | { readonly path: DocumentPath; readonly titles: Readonly<Record<string, string>> }
  readonly number: DocumentPath
  readonly subtitle?: DocumentPath
  /** The language of its receiver; default: that of the caller. */
  readonly lang?: DocumentPath
  /** Codes of countries: dates and numbers are written as in the first one that is known, if the language is spoken there. */
  readonly country?: readonly DocumentPath[]
  /** The company whose letter it is; default: that of the caller. */
  readonly company?: DocumentPath
  /** Lines of the address; what stands in one line is separated by spaces. */
  readonly address: readonly (readonly DocumentPath[])[]
  readonly facts: readonly DocumentFact[]
  /** A table of the lines of the record; a letter may have none. */
  readonly lines?: DocumentLines
  /** The amounts below; a letter may have none. */
  readonly sum?: {
    readonly currency: DocumentPath
    readonly facts: readonly DocumentFact[]
    /** Rows between the facts and the total. */
    readonly parts?: (env: Env, id: number) => Promise<readonly SumPart[]>
    readonly total: DocumentFact
  }
  readonly texts?: readonly { readonly heading: string; readonly path: DocumentPath }[]
  /** A place to sign, for these values of a selection. */
  readonly sign?: {
    readonly when: { readonly path: DocumentPath; readonly values: readonly string[] }
    readonly heading: string
    readonly text: string
    readonly places: readonly string[]
  }
}

/** Every path that a document reads. */
export const pathsOf = (def: DocumentDef): readonly DocumentPath[] => [
  ...new Set(
    [
      typeof def.title === 'string' ? undefined : def.title.path,
      def.number,
      def.subtitle,
      ...def.address.flat(),
      ...def.facts.map(({ path }) => path),
      ...linePathsOf(def),
      def.sum?.currency,
      ...(def.sum?.facts ?? []).map(({ path }) => path),
      def.sum?.total.path,
      ...(def.texts ?? []).map(({ path }) => path),
      def.sign?.when.path,
    ].filter((path) => path !== undefined),
  ),
]

function linePathsOf({ lines }: DocumentDef): readonly (DocumentPath | undefined)[] {
  if (lines === undefined) return []
  const { kind, text, sum } = lines.across ?? {}
  const paths = [...lines.columns.flatMap(({ path, unit }) => [path, unit]), kind, text, sum]
  return paths.map((path) => path && `${lines.path}.${path}`)
}

/** Every sentence that a document says, for translations. */
export const sentencesOf = ({ title, facts, lines, sum, texts = [], sign }: DocumentDef): readonly string[] => [
  ...(typeof title === 'string' ? [title] : Object.values(title.titles)),
  ...[...facts, ...(lines?.columns ?? []), ...(sum ? [...sum.facts, sum.total] : [])].map(({ label }) => label),
  ...texts.map(({ heading }) => heading),
  ...(sign ? [sign.heading, sign.text, ...sign.places] : []),
]

/** Paths of documents that lead nowhere, one sentence each. */
export const documentProblems = (registry: Registry): readonly string[] =>
  registry.documents.flatMap((def) => {
    if (!registry.model(def.model)) return [`document ${def.name}: there is no model ${def.model}`]
    const paths = [...pathsOf(def), def.lang, def.company, ...(def.country ?? [])].filter((path) => path !== undefined)
    const wrong = paths.filter((path) => !leadsToField(registry, def.model, path))
    return wrong.map((path) => `document ${def.name}: ${def.model} has no ${path}`)
  })

function leadsToField(registry: Registry, model: string, path: DocumentPath): boolean {
  const [first = '', ...rest] = path.split('.')
  const field = registry.model(model)?.fields.get(first)
  if (field === undefined) return false
  return rest.length === 0 || (field.relation !== null && leadsToField(registry, field.relation.target, rest.join('.')))
}
