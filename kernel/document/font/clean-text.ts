/** Lone surrogates and code points that are no characters. */
const BROKEN = /\p{Surrogate}|\p{Noncharacter_Code_Point}/gu
/** Invisible characters: control characters, and marks that direct other programs. Joiners stay, since letters depend on them. */
const UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}](?<![\n\u200c\u200d])/gu

/** Marks and joiners of one letter. More of them cannot be read, and sorting and shaping them takes time quadratic in their number. */
const MARKS = /([\p{M}\u200c\u200d]{8})[\p{M}\u200c\u200d]+/gu

/** Texts that need no cleaning, as most do. */
const PLAIN = /^[\n\x20-\x7e\xa1-\u02ff\u2010-\u2027\u20ac]*$/

/** Text as it can be drawn: characters composed, one kind of line end and of space, no invisible characters. */
export const cleanText = (text: string): string => (PLAIN.test(text) ? text.replaceAll('\xad', '') : composed(text))

const composed = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(BROKEN, '\ufffd')
    .replace(/[\t\v\f\p{Zs}]/gu, (space) => (space === '\u00a0' || space === '\u202f' ? '\u00a0' : ' '))
    .replace(UNSEEN, '')
    .replace(MARKS, '$1')
    .normalize('NFC')
