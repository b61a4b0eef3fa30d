import type { Words } from '#kernel'

/** German of dashboards and their tiles. */
export const dashboards: Words = {
  Dashboard: 'Dashboard',
  Dashboards: 'Dashboards',
  'View Type': 'Art der Ansicht',
  'Dashboard Tile': 'Dashboard-Kachel',
  'Shown to Everybody': 'Für alle sichtbar',
  Period: 'Zeitraum',
  Week: 'Woche',
  Month: 'Monat',
  Quarter: 'Quartal',
  Year: 'Jahr',
  'The period its tiles show at first.': 'Der Zeitraum, den die Kacheln zuerst zeigen.',
  Tiles: 'Kacheln',
  'A dashboard without an owner is shown to everybody.': 'Ein Dashboard ohne Besitzer ist für alle sichtbar.',
  'A dashboard has at most {count} tiles.': 'Ein Dashboard hat höchstens {count} Kacheln.',
  'A kind of view, or `figure`.': 'Eine Art von Ansicht, oder `figure`.',
  'Its domain and views apply.': 'Ihre Domäne und ihre Ansichten gelten.',
  'Which of the records it shows.': 'Welche der Datensätze sie zeigt.',
  'Under `search`: grouping, measure and other state of the view.':
    'Unter `search`: Gruppierung, Kennzahl und anderer Zustand der Ansicht.',
  'Date of the Period': 'Datum des Zeitraums',
  'The period of the dashboard applies to it. Empty: the period does not matter.':
    'Der Zeitraum des Dashboards gilt dafür. Leer: der Zeitraum spielt keine Rolle.',
  'Company Field': 'Unternehmensfeld',
  'The field the company of the dashboard applies to, if any.':
    'Das Feld, für das das Unternehmen des Dashboards gilt, falls es eines gibt.',
  Column: 'Spalte',
  Row: 'Zeile',
  Width: 'Breite',
  Height: 'Höhe',
  'A tile lies within the 12 columns.': 'Eine Kachel liegt innerhalb der 12 Spalten.',
  'A tile begins in the first 400 rows and is at most 12 rows high.':
    'Eine Kachel beginnt in den ersten 400 Zeilen und ist höchstens 12 Zeilen hoch.',
  'Dashboards nobody else sees come first, then by this.':
    'Dashboards, die sonst niemand sieht, kommen zuerst, dann hiernach.',
  'Records of {model} cannot be grouped by {field}.':
    'Datensätze von {model} lassen sich nicht nach {field} gruppieren.',
  'Records of {model} cannot be measured by {field}.': 'Datensätze von {model} lassen sich nicht nach {field} messen.',
  'The sequence is between {least} and {most}.': 'Die Reihenfolge liegt zwischen {least} und {most}.',
}
