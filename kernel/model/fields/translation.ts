import { type Translate, tagsOf } from '../../i18n/translate.ts'
import type { Field } from './field.ts'

/** Bytes of the name of a column in PostgreSQL. */
const MAX_NAME_BYTES = 63

/** The name of a text in one language: `name@de`. */
export const translationName = (name: string, lang: string): string => `${name}@${lang}`

/** The value of a translated field in one language, as a field of its own: unset if there is no translation and the English text is used. */
export const translationOf = (field: Field, lang: string): Field =>
  Object.freeze({
    ...field,
    name: translationName(field.name, lang),
    column: translationName(field.column!, lang),
    required: false,
    unique: false,
    index: false,
    default: undefined,
    defaultFrom: undefined,
    languages: [],
    translationOf: field.name,
  })

/** The closest of some languages to a wanted one, if any is close. */
export const closestOf = (languages: readonly string[], lang: string): string | undefined =>
  languages.length === 0 ? undefined : tagsOf(lang).find((tag) => languages.includes(tag))

/** The label of a field where its translations appear beside it: `Name`, `Name (de)`. */
export const labelIn = (t: Translate, { label, name, translationOf: base }: Field): string =>
  base === null ? t(label) : `${t(label)} (${name.slice(base.length + 1)})`

/** Why a field cannot be translated; undefined if it can. */
export function untranslatable(field: Field): string | undefined {
  if (field.type.comparison !== 'text' || field.selection !== null) return 'is no text'
  if (field.column === null || field.compute !== null) return 'is not stored, or computed'
  if (field.languages.some((lang) => translationName(field.name, lang).length > MAX_NAME_BYTES))
    return 'has too long a name'
  if (field.secret || field.sequence !== null) return 'is secret, or a number'
  return undefined
}
