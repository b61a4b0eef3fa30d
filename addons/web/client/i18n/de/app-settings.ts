import type { Catalogue } from '../../core/i18n.ts'

/** Sentences of the page with the settings of the apps. */
export const appSettings: Catalogue = {
  'App settings': 'Einstellungen der Apps',
  'Settings of this app': 'Einstellungen dieser App',
  'No installed app has settings': 'Keine installierte App hat Einstellungen',
  'Settings of {app}': 'Einstellungen: {app}',
  'The changes to the settings are not saved.': 'Die Änderungen der Einstellungen sind nicht gespeichert.',
}
