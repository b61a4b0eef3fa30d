import type { Catalogue } from '../../core/i18n.ts'

/** Sentences of the form view. */
export const form: Catalogue = {
  Activity: 'Verlauf',
  'Activity and messages': 'Verlauf und Nachrichten',
  Archived: 'Archiviert',
  'Changes discarded': 'Änderungen verworfen',
  'Go back': 'Zurück',
  'Go on': 'Weiter',
  'Go on editing': 'Weiter bearbeiten',
  'Keep editing': 'Weiter bearbeiten',
  'Line {n}: {field} is required.': 'Zeile {n}: {field} ist erforderlich.',
  'Log note': 'Notiz',
  Message: 'Nachricht',
  Messages: 'Nachrichten',
  'Mine:': 'Meins:',
  'More actions': 'Weitere Aktionen',
  'New: {name}': 'Neu: {name}',
  'Next record': 'Nächster Datensatz',
  'Not saved yet': 'Noch nicht gespeichert',
  'Nothing has happened here yet.': 'Hier ist noch nichts geschehen.',
  'Previous record': 'Vorheriger Datensatz',
  Record: 'Datensatz',
  'Related records': 'Zugehörige Datensätze',
  'Save your changes?': 'Änderungen speichern?',
  Send: 'Senden',
  'Show older': 'Ältere anzeigen',
  'Somebody else saved this meanwhile': 'Jemand anderes hat dies inzwischen gespeichert',
  'Somebody else saved this record and changed {fields} too. Saving asks whose values stay.':
    'Jemand anderes hat diesen Datensatz gespeichert und auch {fields} geändert. Beim Speichern wählen Sie, welche Werte bleiben.',
  'Somebody else saved this record. Your changes are kept and will be merged.':
    'Jemand anderes hat diesen Datensatz gespeichert. Ihre Änderungen bleiben und werden zusammengeführt.',
  System: 'System',
  'The messages could not be loaded.': 'Die Nachrichten konnten nicht geladen werden.',
  'Theirs:': 'Deren:',
  'These are your changes from before; they are not saved yet.':
    'Das sind Ihre Änderungen von vorhin; sie sind noch nicht gespeichert.',
  'This record has changes that are not saved.': 'Dieser Datensatz hat Änderungen, die nicht gespeichert sind.',
  'This record was deleted by somebody else.': 'Dieser Datensatz wurde von jemand anderem gelöscht.',
  Unarchived: 'Wiederhergestellt',
  'Unsaved changes': 'Nicht gespeicherte Änderungen',
  'Write to the followers': 'An die Follower schreiben',
  'internal note': 'interne Notiz',
  '{n} entries': { one: '{n} Eintrag', other: '{n} Einträge' },
  '{n} fields were changed by both of you. All other changes are merged.': {
    one: 'Ein Feld wurde von beiden geändert. Alle anderen Änderungen werden zusammengeführt.',
    other: '{n} Felder wurden von beiden geändert. Alle anderen Änderungen werden zusammengeführt.',
  },
  '{n} unsaved changes': {
    one: '{n} nicht gespeicherte Änderung',
    other: '{n} nicht gespeicherte Änderungen',
  },
  '{n} values keep this from being saved.': {
    one: 'Ein Wert verhindert das Speichern.',
    other: '{n} Werte verhindern das Speichern.',
  },
  '{name} deleted': '{name} gelöscht',
}
