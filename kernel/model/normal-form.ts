/** Marks of one letter, as Unicode itself proposes for text of unknown origin: to bring more in order takes time by their square. */
const MARKS = /(\p{M}{30})\p{M}+/gu

/** A text of anybody in a Unicode normal form, in time that grows with its length. */
export const normalForm = (text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string =>
  text.replace(MARKS, '$1').normalize(form)
