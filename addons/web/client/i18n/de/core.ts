import type { Catalogue } from '../../core/i18n.ts'

/** Sentences of the core: errors, controls, the frame. */
export const core: Catalogue = {
  Breadcrumb: 'Brotkrumen',
  Cancel: 'Abbrechen',
  Close: 'Schließen',
  Copied: 'Kopiert',
  Copy: 'Kopieren',
  'Go to the home page': 'Zur Startseite',
  Loading: 'Wird geladen',
  Next: 'Weiter',
  'No connection': 'Keine Verbindung',
  'Nothing found': 'Nichts gefunden',
  Notifications: 'Meldungen',
  'Open the {view}': '{view} öffnen',
  Previous: 'Zurück',
  'Reload the page to go on.': 'Laden Sie die Seite neu, um weiterzumachen.',
  'Request {id}': 'Anfrage {id}',
  'Skip to content': 'Zum Inhalt springen',
  'Some required fields are empty.': 'Einige Pflichtfelder sind leer.',
  'Some values are not valid': 'Einige Werte sind ungültig',
  'Something went wrong': 'Etwas ist schiefgegangen',
  Suggestions: 'Vorschläge',
  'The records are all there. This way of looking at them comes with a later version.':
    'Die Datensätze sind alle da. Diese Ansicht kommt mit einer späteren Version.',
  'The server did not answer. Trying again is safe.':
    'Der Server hat nicht geantwortet. Ein neuer Versuch ändert nichts doppelt.',
  'The server is busy': 'Der Server ist ausgelastet',
  'There is nothing here': 'Hier ist nichts',
  'This conflicts with other data': 'Das passt nicht zu anderen Daten',
  'Try again': 'Erneut versuchen',
  Undo: 'Rückgängig',
  'You are not allowed to do this': 'Das dürfen Sie nicht',
  'Your session has ended': 'Ihre Sitzung ist beendet',
  'of {total}': 'von {total}',
  '{view} is not drawn yet': 'Die Ansicht {view} gibt es noch nicht',
}
