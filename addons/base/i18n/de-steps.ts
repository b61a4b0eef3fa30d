import type { Words } from '#kernel'

/** German of what the home page lists to do in a new installation, and of the names that actions give their records. */
export const stepWords: Words = {
  'Add your logo': 'Ihr Logo hinzufügen',
  'It stands on quotations and in mail.': 'Es steht auf Angeboten und in E-Mails.',
  'Add Logo': 'Logo hinzufügen',
  'Invite people': 'Personen einladen',
  'By mail or link, each with the rights that their work needs.':
    'Per E-Mail oder Link, jede mit den Rechten, die ihre Arbeit braucht.',
  Invite: 'Einladen',
  'One Record': 'Ein Datensatz',
  'What one of its records is called, such as Quotation. Empty: as the model.':
    'Wie einer ihrer Datensätze heißt, etwa Angebot. Leer: wie das Modell.',
  'Several Records': 'Mehrere Datensätze',
  'The same for several: Quotations.': 'Dasselbe für mehrere: Angebote.',
}
