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
  'Rejected Rows': 'Abgelehnte Zeilen',
  'Export Set': 'Exportauswahl',
  'Export Sets': 'Exportauswahlen',
  'Fields and paths, as an export takes them, each with a heading of its own or without: ["name", {"path": "partner_id/city", "heading": "Town"}].':
    'Felder und Pfade, wie ein Export sie nimmt, mit eigener Überschrift oder ohne: ["name", {"path": "partner_id/city", "heading": "Ort"}].',
  'You already have a set of this name.': 'Sie haben bereits eine Auswahl mit diesem Namen.',
}
