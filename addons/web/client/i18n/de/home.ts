import type { Catalogue } from '../../core/i18n.ts'

/** Sentences of the home page. */
export const home: Catalogue = {
  'All {n}': 'Alle {n}',
  Done: 'Fertig',
  Edit: 'Bearbeiten',
  'First {n} of {total}': 'Die ersten {n} von {total}',
  Live: 'Live',
  'Not available at the moment.': 'Zurzeit nicht verfügbar.',
  'Nothing by this day of {month}': 'Nichts bis zu diesem Tag im {month}',
  'Nothing is due today.': 'Heute ist nichts fällig.',
  'Nothing is due. What is planned for you is listed here.': 'Nichts ist fällig. Hier steht, was für Sie geplant ist.',
  'Show fewer': 'Weniger zeigen',
  'Your activities': 'Ihre Aktivitäten',
  'and {amounts}': 'und {amounts}',
  'as in {month}': 'wie im {month}',
  down: 'gesunken um',
  'on {month}': 'ggü. {month}',
  up: 'gestiegen um',
  '{n} activities are due today.': {
    one: '{n} Aktivität ist heute fällig.',
    other: '{n} Aktivitäten sind heute fällig.',
  },
  '{n} activities are due, {late} of them late.': {
    other: '{n} Aktivitäten sind fällig, {late} davon überfällig.',
  },
  '{n} activities are late.': { one: '{n} Aktivität ist überfällig.', other: '{n} Aktivitäten sind überfällig.' },
  '{n} days late': { one: '{n} Tag zu spät', other: '{n} Tage zu spät' },
  Hide: 'Ausblenden',
  'Ready for work': 'Startklar',
  'The steps are hidden': 'Die Schritte sind ausgeblendet',
  '{done} of {total}': '{done} von {total}',
  '{done} of {total} steps are done': '{done} von {total} Schritten sind erledigt',
}
