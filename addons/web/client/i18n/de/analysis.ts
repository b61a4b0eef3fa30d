import type { Catalogue } from '../../core/i18n.ts'

/** Sentences of graphs, pivot tables and cohorts. */
export const analysis: Catalogue = {
  Average: 'Durchschnitt',
  Backward: 'Rückwärts',
  'Bar chart': 'Balkendiagramm',
  Churn: 'Abgang',
  Count: 'Anzahl',
  Download: 'Herunterladen',
  Forward: 'Vorwärts',
  'Group by': 'Gruppieren nach',
  'In their own order': 'In ihrer eigenen Reihenfolge',
  'Kind of chart': 'Art des Diagramms',
  'Largest first': 'Größte zuerst',
  'Line chart': 'Liniendiagramm',
  Measure: 'Kennzahl',
  Measures: 'Kennzahlen',
  'Picture (PNG)': 'Bild (PNG)',
  'Pie chart': 'Kreisdiagramm',
  'Q{quarter}': 'Q{quarter}',
  Retention: 'Verbleib',
  'Shown share': 'Gezeigter Anteil',
  'Show {n} more rows': { one: '{n} weitere Zeile zeigen', other: '{n} weitere Zeilen zeigen' },
  'Smallest first': 'Kleinste zuerst',
  'Some groups of the finest levels are not shown. Totals are complete; narrow the search to see all.':
    'Einige Gruppen der feinsten Stufen werden nicht gezeigt. Die Summen sind vollständig; grenzen Sie die Suche ein, um alle zu sehen.',
  'Some groups are not shown. Narrow the search to see all of them.':
    'Einige Gruppen werden nicht gezeigt. Grenzen Sie die Suche ein, um alle zu sehen.',
  Sort: 'Sortieren',
  Stacked: 'Gestapelt',
  'Swap rows and columns': 'Zeilen und Spalten tauschen',
  Table: 'Tabelle',
  'Table (CSV)': 'Tabelle (CSV)',
  'The amounts are in several currencies and are added up without conversion.':
    'Die Beträge sind in mehreren Währungen und werden ohne Umrechnung addiert.',
  Total: 'Summe',
  '{field} (average)': '{field} (Durchschnitt)',
  '{measure} by {groups}': '{measure} nach {groups}',
  '{stop} by {start}': '{stop} nach {start}',
  '{value} of {total}': '{value} von {total}',
  '{title}: {total}. The same figures are in the table.': '{title}: {total}. Dieselben Zahlen stehen in der Tabelle.',
}
