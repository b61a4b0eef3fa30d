import { PAGE_WORDS_DE } from './page-words-de.ts'
import { type Translate, translatorIn, type WordsByLanguage } from './translate.ts'

const CATALOGUES: WordsByLanguage = { de: PAGE_WORDS_DE }

/** Languages a page can be read in. */
export const PAGE_LANGUAGES: readonly string[] = ['en', ...Object.keys(CATALOGUES)]

export const pageTranslator = (lang: string): Translate => translatorIn(CATALOGUES, lang)

const MAX_PREFERENCES = 20

/** The first language of `Accept-Language` that pages are translated to; otherwise English. */
export function languageOf(header: string | null): string {
  const preferences = partsOf(header).map(parsePreference)
  const best = preferences.filter(({ lang }) => PAGE_LANGUAGES.includes(lang)).sort((a, b) => b.weight - a.weight)
  return best[0]?.lang ?? 'en'
}

/** The tags of `Accept-Language` as they are written there, the preferred one first. */
export const preferredTags = (header: string | null): readonly string[] =>
  partsOf(header).map((preference) => preference.split(';')[0]!.trim())

const partsOf = (header: string | null): readonly string[] => (header ?? '').slice(0, 500).split(',', MAX_PREFERENCES)

function parsePreference(preference: string): { readonly lang: string; readonly weight: number } {
  const [tag = '', quality = ''] = preference.split(';')
  const weight = Number(quality.trim().replace(/^q=/, '') || 1)
  return { lang: tag.trim().toLowerCase().split('-')[0]!, weight: Number.isFinite(weight) ? weight : 0 }
}
