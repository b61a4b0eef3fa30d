import base from '../../addons/base/addon.ts'
import { bundledAddons } from '../../addons/index.ts'
import { installModules } from '../../kernel/module/install.ts'
import { template } from './database.ts'
import { openModules } from './modules.ts'

/** The kernel's tables and the addon base, without example records and without automatically installed addons. */
export const baseTemplate = template('base', async ({ db }) => {
  const { services, catalogue } = openModules(db, [base])
  await installModules(services, catalogue, ['base'])
})

/** Every bundled addon, without example records. */
export const bundledTemplate = template('bundled_addons', async ({ db }) => {
  const { services, catalogue } = openModules(db, bundledAddons)
  await installModules(services, catalogue, [...catalogue.keys()])
})
