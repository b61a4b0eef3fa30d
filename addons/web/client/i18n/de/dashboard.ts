import type { Catalogue } from '../../core/i18n.ts'

/** Dashboards: their page, their tiles, arranging and pinning. */
export const dashboards: Catalogue = {
  Dashboard: 'Dashboard',
  Figure: 'Kennzahl',
  Graph: 'Diagramm',
  Pivot: 'Pivot-Tabelle',
  'No tiles yet': 'Noch keine Kacheln',
  'Open a view and choose “Pin to dashboard” in its favourites.':
    'Öffnen Sie eine Ansicht und wählen Sie „An Dashboard anheften“ in ihren Favoriten.',
  'All companies': 'Alle Unternehmen',
  'No access': 'Kein Zugriff',
  'Open {title}': '{title} öffnen',
  'You may not see what this tile shows.': 'Sie dürfen nicht sehen, was diese Kachel zeigt.',
  'There is no such view of these records any more.': 'Diese Ansicht der Datensätze gibt es nicht mehr.',
  'Nothing to show.': 'Nichts anzuzeigen.',
  'Nothing to compare in {period}': 'In {period} nichts zum Vergleichen',
  '{title}, scrollable': '{title}, scrollbar',
  'All {n}': 'Alle {n}',
}
