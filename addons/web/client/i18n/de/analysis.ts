import type { Catalogue } from '../../core/i18n.ts'

/** Sentences of graphs, pivot tables and cohorts. */
export const analysis: Catalogue = {
  'Bar chart': 'Balkendiagramm',
  Chart: 'Diagramm',
  Count: 'Anzahl',
  Day: 'Tag',
  Download: 'Herunterladen',
  'In their own order': 'In ihrer eigenen Reihenfolge',
  'Kind of chart': 'Art des Diagramms',
  'Largest first': 'Größte zuerst',
  'Line chart': 'Liniendiagramm',
  Measure: 'Kennzahl',
  Measures: 'Kennzahlen',
  Month: 'Monat',
  'Picture (PNG)': 'Bild (PNG)',
  'Pie chart': 'Kreisdiagramm',
  Quarter: 'Quartal',
  'Q{quarter}': 'Q{quarter}',
  'Smallest first': 'Kleinste zuerst',
  'Some groups are not shown. Narrow the search to see all of them.':
    'Einige Gruppen werden nicht gezeigt. Grenzen Sie die Suche ein, um alle zu sehen.',
  Sort: 'Sortieren',
  Stacked: 'Gestapelt',
  Table: 'Tabelle',
  'Table (CSV)': 'Tabelle (CSV)',
  'The amounts are in several currencies and are added up without conversion.':
    'Die Beträge sind in mehreren Währungen und werden ohne Umrechnung addiert.',
  Total: 'Summe',
  Week: 'Woche',
  Year: 'Jahr',
  '{field} (average)': '{field} (Durchschnitt)',
  '{measure} by {groups}': '{measure} nach {groups}',
  '{title}: {total}. The same figures are in the table.': '{title}: {total}. Dieselben Zahlen stehen in der Tabelle.',
}
