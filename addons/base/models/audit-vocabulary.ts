/** Marks a sentence for the catalogue; readers see it in their language. */
const t = (sentence: string) => sentence

type Vocabulary = Readonly<Record<string, string>>

/** The parts of the mail settings that the trail names. */
export const MAIL_PARTS: Vocabulary = {
  host: t('Server'),
  port: t('Port'),
  secure: t('Encryption'),
  user: t('Account'),
  password: t('Password'),
  from: t('Sender'),
}

export const DONE: Vocabulary = { added: t('added'), changed: t('changed'), deleted: t('deleted') }

/** Kinds of changes of a record that the trail names by its model. */
export const CHANGES: Vocabulary = {
  added: t('{what} added'),
  changed: t('{what} changed'),
  deleted: t('{what} deleted'),
}

/** How an invitation link was delivered. */
export const INVITED: Vocabulary = { mail: t('by mail'), link: t('shown, not mailed') }

/** Words for what a key may do, by the beginning of its method names. */
export const METHOD_WORDS: readonly (readonly [start: RegExp, word: string])[] = [
  [/^(search|read|onchange)/, t('reading')],
  [/^write/, t('changing')],
  [/^create/, t('creating')],
  [/^unlink/, t('deleting')],
  [/^call/, t('actions')],
  [/^explain/, t('explaining access')],
]
