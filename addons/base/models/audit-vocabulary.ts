/** Marks a sentence for the catalogue; a reader is told it in the own language. */
const t = (sentence: string) => sentence

type Vocabulary = Readonly<Record<string, string>>

/** What the trail keeps of the settings of mail. */
export const MAIL_PARTS: Vocabulary = {
  host: t('Server'),
  port: t('Port'),
  secure: t('Encryption'),
  user: t('Account'),
  password: t('Password'),
  from: t('Sender'),
}

export const DONE: Vocabulary = { added: t('added'), changed: t('changed'), deleted: t('deleted') }

/** The same of a record that is named by its model. */
export const CHANGES: Vocabulary = {
  added: t('{what} added'),
  changed: t('{what} changed'),
  deleted: t('{what} deleted'),
}

/** How a link went to somebody. */
export const INVITED: Vocabulary = { mail: t('by mail'), link: t('shown, not mailed') }

/** What the methods of a key let it do, by the beginning of their names. */
export const METHOD_WORDS: readonly (readonly [start: RegExp, word: string])[] = [
  [/^(search|read|onchange)/, t('reading')],
  [/^write/, t('changing')],
  [/^create/, t('creating')],
  [/^unlink/, t('deleting')],
  [/^call/, t('actions')],
  [/^explain/, t('explaining access')],
]
