import type { Catalogue } from '../core/i18n.ts'
import { admin } from './de/admin.ts'
import { analysis } from './de/analysis.ts'
import { appSettings } from './de/app-settings.ts'
import { core } from './de/core.ts'
import { dashboards } from './de/dashboard.ts'
import { exportTexts } from './de/export.ts'
import { fieldTexts } from './de/fields.ts'
import { form } from './de/form.ts'
import { home } from './de/home.ts'
import { importing } from './de/import.ts'
import { kanban } from './de/kanban.ts'
import { keys } from './de/keys.ts'
import { list } from './de/list.ts'
import { operations } from './de/operations.ts'
import { plan } from './de/plan.ts'
import { search } from './de/search.ts'
import { shell } from './de/shell.ts'
import { translations } from './de/translations.ts'

/** German; one file per part of the client. */
export const catalogue: Catalogue = {
  ...core,
  ...shell,
  ...search,
  ...list,
  ...form,
  ...home,
  ...kanban,
  ...plan,
  ...analysis,
  ...importing,
  ...dashboards,
  ...fieldTexts,
  ...exportTexts,
  ...admin,
  ...keys,
  ...operations,
  ...translations,
  ...appSettings,
}
