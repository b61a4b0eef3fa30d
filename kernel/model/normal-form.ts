/** At most 30 marks per letter, as Unicode proposes for text of unknown origin: sorting more takes time quadratic in their number. */
const MARKS = /(\p{M}{30})\p{M}+/gu

/** An untrusted text in a Unicode normal form, in time linear in its length. */
export const normalForm = (text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string =>
  text.replace(MARKS, '$1').normalize(form)
