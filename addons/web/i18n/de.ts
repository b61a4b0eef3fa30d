import type { Words } from '#kernel'

/** German translations of web, by the English sentence. */
export const german: Words = {
  Web: 'Web',
  'The web client: shell, views and fields in the browser': 'Der Web-Client: Rahmen, Ansichten und Felder im Browser',
}
