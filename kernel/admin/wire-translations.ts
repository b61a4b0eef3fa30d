/** What the page of translations gets. Types and names only, so that the client may import them. */

/** A text of a model that has one value for each language, and how many of them there are. */
export interface WireTranslatedField {
  readonly model: string
  readonly modelLabel: string
  readonly field: string
  readonly label: string
  readonly type: string
  /** Records that have the text in English, and how many of them have it in the language. */
  readonly total: number
  readonly translated: number
  readonly mayWrite: boolean
}

/** The answer of `GET /web/settings/translations`. */
export interface WireTranslations {
  /** Languages into which texts can be translated. */
  readonly languages: readonly string[]
  readonly lang: string
  readonly fields: readonly WireTranslatedField[]
}
