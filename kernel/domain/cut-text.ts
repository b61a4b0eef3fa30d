/** The beginning of a text, which does not end within a character: half of a surrogate pair is no text. */
export const headOf = (text: string, chars: number): string =>
  text.length <= chars ? text : text.slice(0, chars).replace(/[\ud800-\udbff]$/, '')

/** Its end, which does not begin within a character. */
export const tailOf = (text: string, chars: number): string =>
  text.length <= chars ? text : text.slice(-chars).replace(/^[\udc00-\udfff]/, '')
