import type { Catalogue } from '../../core/i18n.ts'

/** Sentences of calendar, gantt and map. */
export const plan: Catalogue = {
  Agenda: 'Agenda',
  Calendar: 'Kalender',
  Create: 'Anlegen',
  Day: 'Tag',
  Days: 'Tage',
  Filters: 'Filter',
  'Lift the record and put it down': 'Datensatz aufnehmen und ablegen',
  Month: 'Monat',
  'More options': 'Mehr Felder',
  'Next day': 'Nächster Tag',
  'Next period': 'Nächster Zeitraum',
  'Next record or week': 'Nächster Datensatz oder nächste Woche',
  'Nothing in this period.': 'Nichts in diesem Zeitraum.',
  'Only the first {n} records are shown. Narrow the search to see others.':
    'Nur die ersten {n} Datensätze werden gezeigt. Grenzen Sie die Suche ein, um andere zu sehen.',
  Period: 'Zeitraum',
  'Pick a date': 'Datum wählen',
  'Previous period': 'Voriger Zeitraum',
  Scale: 'Maßstab',
  Today: 'Heute',
  Week: 'Woche',
  'You may not see the dates of these records.': 'Sie dürfen die Daten dieser Datensätze nicht sehen.',
  'all day': 'ganztägig',
  'from {time}': 'ab {time}',
  'until {time}': 'bis {time}',
  '{from} to {to}': '{from} bis {to}',
  '{n} more': { one: '{n} weiterer', other: '{n} weitere' },
  '{name} is lifted. Arrow keys move it, Enter puts it down, Escape puts it back.':
    '{name} ist aufgenommen. Die Pfeiltasten verschieben, Eingabe legt ab, Escape stellt zurück.',
  '{name} is lifted. Arrow keys move it, with Shift they change its end, Enter puts it down, Escape puts it back.':
    '{name} ist aufgenommen. Die Pfeiltasten verschieben, mit Umschalt ändern sie das Ende, Eingabe legt ab, Escape stellt zurück.',
  '{name} stays where it was.': '{name} bleibt, wo es war.',
  '{name} was created.': '{name} wurde angelegt.',
  '{name}: {when}': '{name}: {when}',
}
