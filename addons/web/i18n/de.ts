import type { Words } from '#kernel'

/** German for everything web says, by the English sentence. */
export const german: Words = {
  Web: 'Web',
  'The web client: shell, views and fields in the browser': 'Der Web-Client: Rahmen, Ansichten und Felder im Browser',
}
