/** English as it is written where another language is spoken: days before months. */
const ENGLISH_ABROAD = 'en-GB'

/**
 * The language with a region, by which days and figures are written: the country, if the language is the one that most people
 * speak there. English elsewhere is British, and another language elsewhere is itself.
 */
export function regionalTag(lang: string, country: string | undefined): string {
  if (lang.includes('-') || country === undefined || !/^[A-Z]{2}$/.test(country)) return lang
  if (new Intl.Locale(`und-${country}`).maximize().language === lang) return `${lang}-${country}`
  return lang === 'en' ? ENGLISH_ABROAD : lang
}
