import { defineAddon } from '#kernel'
import { german } from './i18n/de.ts'

/** The browser client itself is built from `client/`; this makes it a module like any other. */
export default defineAddon({
  name: 'web',
  version: '1.0',
  summary: 'The web client: shell, views and fields in the browser',
  depends: ['base'],
  auto_install: true,
  models: [],
  translations: { de: german },
})
