import type { Catalogue } from '../../core/i18n.ts'

/** Sentences of the page of API keys. */
export const keys: Catalogue = {
  'A key lets another program work here with part of your rights.':
    'Mit einem Schlüssel arbeitet ein anderes Programm hier, mit einem Teil Ihrer Rechte.',
  'A key never does more than its owner may; deactivating the owner revokes it.':
    'Ein Schlüssel darf nie mehr als sein Besitzer; wird der Besitzer deaktiviert, ist er widerrufen.',
  'Acts as {name}': 'Handelt als {name}',
  'All keys': 'Alle Schlüssel',
  'Also change logins, addresses, groups and keys of users':
    'Auch Anmeldenamen, Adressen, Gruppen und Schlüssel von Benutzern ändern',
  'Choose what the key may do.': 'Wählen Sie, was der Schlüssel darf.',
  'Chosen models': 'Gewählte Modelle',
  'Copy it now. It is shown once and cannot be recovered.':
    'Kopieren Sie ihn jetzt. Er wird nur einmal gezeigt und lässt sich nicht wiederherstellen.',
  'Create key': 'Schlüssel anlegen',
  'Everybody’s': 'Alle',
  Everything: 'Alles',
  'Everything {name} may': 'Alles, was {name} darf',
  Example: 'Beispiel',
  Expired: 'Abgelaufen',
  Expires: 'Läuft ab',
  'I have stored it': 'Ich habe ihn gesichert',
  'In {n} days, {date}': 'In {n} Tagen, {date}',
  'It may also change logins, addresses, groups and keys of users.':
    'Er darf auch Anmeldenamen, Adressen, Gruppen und Schlüssel von Benutzern ändern.',
  'It may also make itself an administrator if its owner is one.':
    'Gehört er jemandem aus der Administration, kann er sich alle Rechte selbst geben.',
  'Last used': 'Zuletzt benutzt',
  'May do': 'Darf',
  'Models and rights': 'Modelle und Rechte',
  Never: 'Nie',
  'New API key': 'Neuer API-Schlüssel',
  'New key': 'Neuer Schlüssel',
  'No API keys yet': 'Noch keine API-Schlüssel',
  'No key matches this search': 'Kein Schlüssel passt zu dieser Suche',
  'No model matches this search': 'Kein Modell passt zu dieser Suche',
  Nothing: 'Nichts',
  Owner: 'Besitzer',
  'Owner: {owner}. Made {time}.': 'Besitzer: {owner}. Angelegt: {time}.',
  'Put it in a secret store, not in code. Owner: {owner}. Expires: {date}.':
    'Legen Sie ihn in einen Tresor, nicht in Quelltext. Besitzer: {owner}. Läuft ab: {date}.',
  'Read only': 'Nur lesen',
  Reads: 'Liest',
  Revoked: 'Widerrufen',
  'Search keys': 'Schlüssel suchen',
  'Search models': 'Modelle suchen',
  'Search models, such as orders': 'Modelle suchen, etwa Auftrag',
  'The key never does more than its owner may.': 'Der Schlüssel darf nie mehr als sein Besitzer.',
  'This key may do everything {name} may, but change logins, groups and keys of users.':
    'Dieser Schlüssel darf alles, was {name} darf, außer Anmeldenamen, Gruppen und Schlüssel von Benutzern ändern.',
  'This key may do nothing yet. A dash means that {name} may not do it either.':
    'Dieser Schlüssel darf noch nichts. Ein Strich heißt, dass auch {name} es nicht darf.',
  'This key may read everything {name} may read.': 'Dieser Schlüssel darf alles lesen, was {name} lesen darf.',
  'This key may use: {list}. Nothing else, also not through related records.':
    'Dieser Schlüssel gilt für: {list}. Für nichts sonst, auch nicht über verknüpfte Datensätze.',
  'What it is for': 'Wofür er ist',
  'What it may do': 'Was er darf',
  'Whose keys': 'Wessen Schlüssel',
  Writes: 'Schreibt',
  'Your keys': 'Ihre Schlüssel',
  'all rights of the owner': 'alle Rechte des Besitzers',
  credentials: 'Zugangsdaten',
  '{n} of {total} keys are listed; the search finds the others.':
    '{n} von {total} Schlüsseln sind aufgeführt; die Suche findet die anderen.',
  '{name} is revoked': '{name} ist widerrufen',
  '“{name}” is ready': '„{name}“ ist bereit',
  '{model} (read only)': '{model} (nur lesen)',
  '{n} read only': { one: '{n} nur lesen', other: '{n} nur lesen' },
  '{n} models': { one: '{n} Modell', other: '{n} Modelle' },
  '{n} technical models are found by searching.': {
    one: '{n} technisches Modell ist über die Suche zu finden.',
    other: '{n} technische Modelle sind über die Suche zu finden.',
  },
}
