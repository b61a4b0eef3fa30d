import { GERMAN } from './words-de.ts'

/** Says an English sentence in the reader's language; `{name}` in it stands for a value, and stays where none is given. */
export type Speak = (english: string, values?: Readonly<Record<string, string | number>>) => string

const CATALOGUES: Readonly<Record<string, Readonly<Record<string, string>>>> = { de: GERMAN }

/** Languages a page can be read in. */
export const PAGE_LANGUAGES: readonly string[] = ['en', ...Object.keys(CATALOGUES)]

export function speakIn(lang: string): Speak {
  const catalogue = CATALOGUES[lang.split('-')[0]!] ?? {}
  return (english, values = {}) =>
    (catalogue[english] ?? english).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? `{${name}}`))
}

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
