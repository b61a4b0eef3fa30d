import { DOCUMENT_HTML, sanitizeHtml } from '../../html/sanitize.ts'
import { LIMITS } from '../../limits.ts'
import { DIRECT, orNull } from './direct.ts'
import type { Optional, Readable } from './field.ts'
import { type Field, type FieldDef, type FieldOptions, type FieldType, Refusal } from './field.ts'

export interface CharOptions extends FieldOptions<string | null> {
  readonly size?: number
  /** The text can be translated; a reader gets the text in their language, or else the English one. */
  readonly translate?: boolean
}

/** NUL and lone surrogates. With the `u` flag a surrogate pair is one character and does not match. */
const UNSTORABLE = /[\0\p{Surrogate}]/u

/** Whether PostgreSQL can store the text. */
export const isStorable = (text: string): boolean => !UNSTORABLE.test(text)

export function parseText(value: unknown, field: Field): string | null {
  if (typeof value !== 'string') throw new Refusal('Must be text.')
  if (!isStorable(value)) throw new Refusal('Contains characters that cannot be stored.')
  const longest = field.size ?? LIMITS.textChars
  if (value.length > longest) throw new Refusal('Must be at most {count} characters.', { count: longest })
  return value === '' ? null : value
}

const textType = (name: 'char' | 'text' | 'html', widget: string): FieldType => ({
  ...DIRECT,
  name,
  comparison: 'text',
  sqlType: () => 'text',
  parse: parseText,
  widget,
  schema: (field) => orNull(field, { type: 'string', maxLength: field.size ?? LIMITS.textChars }),
})

export const charType = textType('char', 'char')
export const plainTextType = textType('text', 'text')
export const htmlType: FieldType = {
  ...textType('html', 'html'),
  parse: (value, field) => sanitizeHtml(parseText(value, field) ?? '', DOCUMENT_HTML) || null,
  groupable: false,
}

export interface CharLineOptions extends CharOptions {
  /** Code of the number sequence that fills the field of a new record without a value. */
  readonly sequence?: string
}

/** One line of text. */
export const char = <const O extends CharLineOptions>(
  options?: O,
): FieldDef<Readable<O, string>, Optional<O, string>> => ({
  type: 'char',
  options: options ?? {},
})

/** Several lines of text. */
export const text = <const O extends CharOptions>(options?: O): FieldDef<Readable<O, string>, Optional<O, string>> => ({
  type: 'text',
  options: options ?? {},
})

/** Rich text; it is sanitised before it is stored. */
export const htmlText = <const O extends CharOptions>(
  options?: O,
): FieldDef<Readable<O, string>, Optional<O, string>> => ({
  type: 'html',
  options: options ?? {},
})
