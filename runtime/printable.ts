/** Characters that a terminal obeys, that turn the order of what it shows, or that PostgreSQL refuses. */
const OBEYED = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu

/** Text as a terminal may get it: lines stay lines, everything else that it would obey is replaced. */
export const printable = (text: string): string =>
  text.replace(OBEYED, (char) => (char === '\n' || char === '\t' ? char : '\ufffd'))

/** The same for a text of somebody else's within a line: it cannot begin another. */
export const printableLine = (text: string): string => text.replace(OBEYED, '\ufffd')
