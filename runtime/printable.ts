/** Characters that control a terminal, that change the direction of text, or that PostgreSQL refuses. */
const UNSAFE = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu

/** Text that is safe for a terminal: line breaks stay, other control characters are replaced. */
export const printable = (text: string): string =>
  text.replace(UNSAFE, (char) => (char === '\n' || char === '\t' ? char : '\ufffd'))

/** Safe text from another source inside a line: line breaks are replaced too. */
export const printableLine = (text: string): string => text.replace(UNSAFE, '\ufffd')
