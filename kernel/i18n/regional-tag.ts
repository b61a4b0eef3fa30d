/** English as it is written where another language is spoken: days before months. */
const ENGLISH_ABROAD = 'en-GB'

/**
 * The language with the region whose formats of dates and numbers are used: the country, if the language is the main one there. English
 * in other countries is British; another language then has no region.
 */
export function regionalTag(lang: string, country: string | undefined): string {
  if (lang.includes('-') || country === undefined || !/^[A-Z]{2}$/.test(country)) return lang
  if (new Intl.Locale(`und-${country}`).maximize().language === lang) return `${lang}-${country}`
  return lang === 'en' ? ENGLISH_ABROAD : lang
}
