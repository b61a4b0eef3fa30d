import { type Speak, speakIn as speakFrom, type WordsByLanguage } from '../speak.ts'
import { GERMAN } from './words-de.ts'

const CATALOGUES: WordsByLanguage = { de: GERMAN }

/** Languages a page can be read in. */
export const PAGE_LANGUAGES: readonly string[] = ['en', ...Object.keys(CATALOGUES)]

export const speakIn = (lang: string): Speak => speakFrom(CATALOGUES, lang)

const MOST_WISHES = 20

/** The first language of `Accept-Language` that pages are written in; English otherwise. */
export function languageOf(header: string | null): string {
  const wishes = (header ?? '').slice(0, 500).split(',', MOST_WISHES).map(parseWish)
  const best = wishes.filter(({ lang }) => PAGE_LANGUAGES.includes(lang)).sort((a, b) => b.weight - a.weight)
  return best[0]?.lang ?? 'en'
}

function parseWish(wish: string): { readonly lang: string; readonly weight: number } {
  const [tag = '', quality = ''] = wish.split(';')
  const weight = Number(quality.trim().replace(/^q=/, '') || 1)
  return { lang: tag.trim().toLowerCase().split('-')[0]!, weight: Number.isFinite(weight) ? weight : 0 }
}
