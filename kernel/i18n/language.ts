/** Subtags longer than three letters are well-formed too, but reserved: no language has one. */
const LANGUAGE = /^[a-z]{2,3}(-|$)/

/** Whether the text is a BCP 47 language tag in canonical form, like `en` or `pt-BR`. */
export function isLanguage(tag: string): boolean {
  try {
    return LANGUAGE.test(tag) && Intl.getCanonicalLocales(tag)[0] === tag
  } catch {
    return false
  }
}
