import type { Env } from '../env.ts'
import { BASE_LANGUAGE } from './translate.ts'

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

/** Whether a tag, also one with underscores, begins with an existing language; its texts may still be English. */
export function isKnownLanguage(tag: string): boolean {
  try {
    return (
      new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(tag.replaceAll('_', '-')) !== undefined
    )
  } catch {
    return false
  }
}

/** Languages that are written from right to left, and scripts a tag may name. */
const RIGHT_TO_LEFT =
  /^(ar|arc|ckb|dv|fa|he|ks|lrc|mzn|nqo|pnb|ps|sd|syr|ug|ur|yi)(-(?!Latn|Cyrl|Deva)|$)|-(Arab|Hebr|Nkoo|Syrc|Thaa)(-|$)/

export const directionOf = (tag: string): 'ltr' | 'rtl' => (RIGHT_TO_LEFT.test(tag) ? 'rtl' : 'ltr')

/** The env with English texts, for results that are the same in every language. */
export const inBaseLanguage = (env: Env): Env => (env.lang === BASE_LANGUAGE ? env : env.inLanguage(BASE_LANGUAGE))
