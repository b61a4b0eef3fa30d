/** The beginning of a text, never with half of a surrogate pair at its end. */
export const headOf = (text: string, chars: number): string =>
  text.length <= chars ? text : text.slice(0, chars).replace(/[\ud800-\udbff]$/, '')

/** The end of a text, never with half of a surrogate pair at its beginning. */
export const tailOf = (text: string, chars: number): string =>
  text.length <= chars ? text : text.slice(-chars).replace(/^[\udc00-\udfff]/, '')
