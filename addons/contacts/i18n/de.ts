import type { Words } from '#kernel'

/** German translations of contacts, by the English sentence. */
export const german: Words = {
  'People and companies, on a board and on a map': 'Personen und Unternehmen, als Tafel und auf der Karte',
  'All Contacts': 'Alle Kontakte',
  'Add contacts': 'Kontakte anlegen',
  'One by one, or from a spreadsheet: you see every change before it is made.':
    'Einzeln oder aus einer Tabelle: Sie sehen jede Änderung, bevor sie geschieht.',
  Person: 'Person',
  People: 'Personen',
  Configuration: 'Konfiguration',
  '<p>Add the people and companies you work with.</p>':
    '<p>Legen Sie die Personen und Unternehmen an, mit denen Sie arbeiten.</p>',
  'Contact Tags': 'Kontakt-Stichwörter',
}
