/** Several names in one cell, separated by commas; a name with a comma or a quote is quoted as a cell of CSV is. */
export const joinNames = (names: readonly string[]): string => names.map(quoteName).join(',')

const SPECIAL = /[",\r\n]|^\s|\s$|^$/

const quoteName = (name: string): string => (SPECIAL.test(name) ? `"${name.replaceAll('"', '""')}"` : name)

/** A quoted name has at most 1,000 characters, so that a hostile text is not searched to its end once for each of its quotes. */
const NAME = /\s*(?:"((?:[^"]|""){0,1000})"|([^,]*))\s*(?:,|$)/y

/** The names of such a cell. Spaces around a name do not count, and neither do empty places between commas. */
export function splitNames(text: string): string[] {
  const names: string[] = []
  for (let at = 0; at < text.length; ) {
    NAME.lastIndex = at
    const match = NAME.exec(text)
    // A quote that is not closed, or is followed by text: the rest is taken as it is.
    if (match === null) return [...names, text.slice(at).trim()]
    at = NAME.lastIndex
    const name = match[1] === undefined ? match[2]!.trim() : match[1].replaceAll('""', '"')
    if (match[1] !== undefined || name !== '') names.push(name)
  }
  return names
}
