import type { Words } from '#kernel'

/** German of imports and of the sets of an export. */
export const exchangeWords: Words = {
  Import: 'Import',
  Uploaded: 'Hochgeladen',
  Mapped: 'Zugeordnet',
  Cancelled: 'Storniert',
  'Import Mode': 'Importmodus',
  Create: 'Anlegen',
  'Create or Update': 'Anlegen oder aktualisieren',
  'Column Mapping': 'Spaltenzuordnung',
  'Remember the Mapping': 'Zuordnung merken',
  'Later files of the owner with the same columns are mapped like this one.':
    'Spätere Dateien des Besitzers mit denselben Spalten werden wie diese zugeordnet.',
  'Skip Invalid Rows': 'Ungültige Zeilen überspringen',
  'Values of New Records': 'Werte neuer Datensätze',
  'What New would fill in, in the list that the import was begun from.':
    'Was „Neu“ in der Liste einträgt, aus der importiert wird.',
  'Use the Values of the List': 'Werte der Liste übernehmen',
  'New records get them where the file has no column for them.':
    'Neue Datensätze bekommen sie, wo die Datei keine Spalte dafür hat.',
  'Return To': 'Zurück nach',
  File: 'Datei',
  'File Name': 'Dateiname',
  Sha256: 'SHA-256',
  Headers: 'Überschriften',
  'Fields chosen at the upload.': 'Beim Hochladen gewählte Felder.',
  'Row Count': 'Anzahl Zeilen',
  'Created Count': 'Angelegt (Anzahl)',
  'Updated Count': 'Aktualisiert (Anzahl)',
  'Skipped Count': 'Übersprungen (Anzahl)',
  Problems: 'Probleme',
  'Can Be Undone': 'Kann rückgängig gemacht werden',
  'The reader has the rights to undo something of it.': 'Wer es liest, darf etwas davon rückgängig machen.',
  'Rejected Rows': 'Abgelehnte Zeilen',
  'Export Set': 'Exportauswahl',
  'Export Sets': 'Exportauswahlen',
  'Fields and paths, as an export takes them, each with a heading of its own or without: ["name", {"path": "partner_id/city", "heading": "Town"}].':
    'Felder und Pfade, wie ein Export sie nimmt, mit eigener Überschrift oder ohne: ["name", {"path": "partner_id/city", "heading": "Ort"}].',
  'You already have a set of this name.': 'Sie haben bereits eine Auswahl mit diesem Namen.',
}
