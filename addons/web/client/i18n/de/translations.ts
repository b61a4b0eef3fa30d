import type { Catalogue } from '../../core/i18n.ts'

/** Sentences of the page of translations. */
export const translations: Catalogue = {
  Translations: 'Übersetzungen',
  'Texts of records in other languages': 'Texte von Datensätzen in anderen Sprachen',
  'No record has texts in several languages': 'Kein Datensatz hat Texte in mehreren Sprachen',
  'Search in texts': 'In Texten suchen',
  'Which texts': 'Welche Texte',
  'Not translated': 'Nicht übersetzt',
  Texts: 'Texte',
  Complete: 'Vollständig',
  '{translated} of {total}': '{translated} von {total}',
  'Everything is translated': 'Alles ist übersetzt',
  'No text fits the search': 'Kein Text passt zur Suche',
  '“All” shows the texts that are translated, too.': '„Alle“ zeigt auch die Texte, die übersetzt sind.',
  'More texts': 'Weitere Texte',
  '{text} in {language}': '{text} auf {language}',
}
