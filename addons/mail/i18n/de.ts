import type { Words } from '#kernel'

/** German translations of mail, by the English sentence. */
export const german: Words = {
  Mail: 'Nachrichten',
  'Messages on records, and the history of their fields': 'Nachrichten zu Datensätzen und der Verlauf ihrer Felder',
  Change: 'Änderung',
  Author: 'Verfasser',
  'Empty: the service itself.': 'Leer: der Dienst selbst.',
  Date: 'Datum',
  Body: 'Inhalt',
  Changes: 'Änderungen',
  'Stored values of fields, old and new.': 'Gespeicherte Werte von Feldern, alt und neu.',
  Messages: 'Nachrichten',
  'Who wrote messages on which records, and when. What they say is shown on the record.':
    'Wer wann zu welchen Datensätzen Nachrichten geschrieben hat. Was darin steht, zeigt der Datensatz.',
  Comments: 'Kommentare',
  'There is nothing at this address.': 'Unter dieser Adresse gibt es nichts.',
  'Records of {model} have no messages.': 'Datensätze von {model} haben keine Nachrichten.',
  'A message has at most {limit} bytes.': 'Eine Nachricht hat höchstens {limit} Bytes.',
  '{author} mentioned you in {place}.': '{author} hat Sie in {place} erwähnt.',
  'A message says something.': 'Eine Nachricht sagt etwas.',
}
