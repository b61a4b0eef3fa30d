/** Safe markup. Only the `html` tag creates it, and it escapes every value. */
export interface Html {
  readonly markup: string
}

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[]

/** Builds markup from a template; values may be used as content and inside quoted attributes. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let markup = strings[0]!
  for (const [i, value] of values.entries()) markup += markupOf(value) + strings[i + 1]!
  return { markup }
}

function markupOf(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  return 'markup' in value ? value.markup : value.map(markupOf).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char]!)

const IN_SCRIPT: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** A value as JSON inside a script element, escaped so that it cannot end the element. */
export const scriptJson = (value: unknown): Html => ({
  markup: JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (char) => IN_SCRIPT[char]!),
})
