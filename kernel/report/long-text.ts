import { headOf } from '../domain/cut-text.ts'
import { paragraphsOfHtml } from '../html/paragraphs.ts'
import type { Field } from '../model/fields/field.ts'

/** How many characters a document shows of one value: of the record itself, and in the cells of a table. */
export interface TextRoom {
  readonly own: number
  readonly line: number
}

/** Types whose values can be of any length. */
export const LONG_TYPES: ReadonlySet<string> = new Set(['char', 'text', 'html', 'json'])

/** Characters of markup that are looked at for each one that is shown. */
const MARKUP = 4

/** How many characters of a stored value are read to show `chars` of it; the one beyond shows that the value is longer. */
export const storedChars = ({ type }: Field, chars: number): number => (type.name === 'html' ? MARKUP : 1) * chars + 1

/** A long value as text of at most `chars` characters. It is cut before it is converted, so its length does not cost time. */
export function longText(field: Field, value: unknown, chars: number): string {
  const stored = typeof value === 'string' ? value : JSON.stringify(value)
  if (field.type.name !== 'html') return cutText(stored, chars)
  const most = storedChars(field, chars) - 1
  if (stored.length <= most) return cutText(paragraphsOfHtml(stored), chars)
  const whole = stored.slice(0, most).replace(/<[^<>]*$|&[\w#]*$/, '')
  const text = cutText(paragraphsOfHtml(whole), chars)
  return text.endsWith('…') ? text : `${text}…`
}

/** Cuts a text to `chars` characters and `…`, never within a surrogate pair. */
export function cutText(text: string, chars: number): string {
  if (text.length <= chars) return text
  return `${headOf(text, chars)}…`
}
