/** Translates an English sentence; `{name}` in it is replaced by a value, or kept if there is none. */
export type Translate = (english: string, values?: Readonly<Record<string, string | number>>) => string

/** Sentences of one language, by the English ones. */
export type Words = Readonly<Record<string, string>>

/** Words by BCP 47 language tag, such as `de` or `pt-BR`. */
export type WordsByLanguage = Readonly<Record<string, Words>>

export const interpolate = (sentence: string, values: Readonly<Record<string, string | number>> = {}): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? `{${name}}`))

export const translatorIn =
  (words: WordsByLanguage, lang: string): Translate =>
  (english, values) =>
    interpolate(translateWords(words, lang, english), values)

/** The sentence in the wanted language, else in the language without its region, else as it is. */
export function translateWords(words: WordsByLanguage, lang: string, english: string): string {
  for (const tag of tagsOf(lang)) {
    const translations = Object.hasOwn(words, tag) ? words[tag]! : {}
    if (Object.hasOwn(translations, english)) return translations[english]!
  }
  return english
}

/** The language of the source code, to which all others fall back. */
export const BASE_LANGUAGE = 'en'

/** The closest language to a wanted one that has words; English otherwise. */
export const closestLanguage = (words: WordsByLanguage, lang: string): string =>
  tagsOf(lang).find((tag) => Object.hasOwn(words, tag)) ?? BASE_LANGUAGE

/** Merges translations; for the same sentence the later one wins. */
export function mergeWords(parts: readonly WordsByLanguage[]): WordsByLanguage {
  // Without prototypes, so that a word named like a member of one is a word.
  const merged: Record<string, Record<string, string>> = Object.create(null)
  for (const part of parts) {
    for (const [lang, words] of Object.entries(part))
      merged[lang] = Object.assign(merged[lang] ?? Object.create(null), words)
  }
  return merged
}

/** `pt-BR` and `pt_BR` are `pt-BR`, then `pt`. */
export function tagsOf(lang: string): readonly string[] {
  const parts = lang.split(/[-_]/)
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('-'))
}

/** A noun inside a sentence: English writes “sales order”, and leaves “API key” its capitals; other languages are left alone. */
export const nounInSentence = (noun: string, lang: string): string =>
  /^en\b/.test(lang) ? noun.replace(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase()) : noun
