import { defineAddon } from '#kernel'
import countries from './data/core.country.csv'
import currencies from './data/core.currency.csv'
import cron from './data/cron.xml'
import mainCompany from './data/main-company.xml'
import sequences from './data/sequences.xml'
import demoCoreCompany from './demo/core.company.csv'
import demoCoreUser from './demo/core.user.csv'
import { german } from './i18n/de.ts'
import { pruneExpired, pruneOutbox, pruneRates } from './jobs/prune.ts'
import namesOfShared from './migrations/0001_names_of_shared.sql'
import { sysAuditBehavior } from './models/audit-words.ts'
import { coreApiKey, coreApiKeyBehavior } from './models/core-api-key.ts'
import { coreCompany, coreCompanyBehavior } from './models/core-company.ts'
import { coreCountry } from './models/core-country.ts'
import { coreCurrency, coreCurrencyBehavior } from './models/core-currency.ts'
import { coreGroup, coreGroupBehavior } from './models/core-group.ts'
import { corePartner, corePartnerBehavior } from './models/core-partner.ts'
import { coreTag } from './models/core-tag.ts'
import { coreUser, coreUserBehavior } from './models/core-user.ts'
import { sysAccess, sysAccessBehavior } from './models/sys-access.ts'
import { sysAction, sysActionBehavior } from './models/sys-action.ts'
import { sysAudit } from './models/sys-audit.ts'
import { sysBulkImport, sysBulkImportBehavior } from './models/sys-bulk-import.ts'
import { sysCron, sysCronBehavior } from './models/sys-cron.ts'
import { sysCronRun } from './models/sys-cron-run.ts'
import { sysDashboard, sysDashboardBehavior } from './models/sys-dashboard.ts'
import { sysDashboardTile, sysDashboardTileBehavior } from './models/sys-dashboard-tile.ts'
import { sysExportSet, sysExportSetBehavior } from './models/sys-export-set.ts'
import { sysField } from './models/sys-field.ts'
import { sysFilter, sysFilterBehavior } from './models/sys-filter.ts'
import { sysLog } from './models/sys-log.ts'
import { sysMenu, sysMenuBehavior } from './models/sys-menu.ts'
import { sysModel } from './models/sys-model.ts'
import { sysModule } from './models/sys-module.ts'
import { sysPreference, sysPreferenceBehavior } from './models/sys-preference.ts'
import { sysRule, sysRuleBehavior } from './models/sys-rule.ts'
import { sysSequence, sysSequenceBehavior } from './models/sys-sequence.ts'
import { sysSetting, sysSettingBehavior } from './models/sys-setting.ts'
import { sysView, sysViewBehavior } from './models/sys-view.ts'
import { sysXmlid } from './models/sys-xmlid.ts'
import access from './security/access.csv'
import groups from './security/core.group.csv'
import rules from './security/rules.xml'
import { viewFiles } from './views/files.ts'

export default defineAddon({
  name: 'base',
  version: '1.16',
  summary: 'Users, rights and companies',
  depends: [],
  models: [
    coreUser,
    coreGroup,
    coreCompany,
    corePartner,
    coreTag,
    coreCurrency,
    coreCountry,
    coreApiKey,
    sysModel,
    sysField,
    sysAccess,
    sysRule,
    sysView,
    sysAction,
    sysMenu,
    sysModule,
    sysCron,
    sysCronRun,
    sysSequence,
    sysBulkImport,
    sysFilter,
    sysExportSet,
    sysPreference,
    sysDashboard,
    sysDashboardTile,
    sysLog,
    sysAudit,
    sysSetting,
    sysXmlid,
  ],
  behaviors: [
    corePartnerBehavior,
    coreUserBehavior,
    coreGroupBehavior,
    coreCompanyBehavior,
    coreCurrencyBehavior,
    coreApiKeyBehavior,
    sysAccessBehavior,
    sysRuleBehavior,
    sysViewBehavior,
    sysActionBehavior,
    sysMenuBehavior,
    sysCronBehavior,
    sysSequenceBehavior,
    sysAuditBehavior,
    sysSettingBehavior,
    sysBulkImportBehavior,
    sysFilterBehavior,
    sysExportSetBehavior,
    sysPreferenceBehavior,
    sysDashboardBehavior,
    sysDashboardTileBehavior,
  ],
  migrations: [{ name: '0001_names_of_shared.sql', text: namesOfShared }],
  jobs: { prune_outbox: pruneOutbox, prune_rates: pruneRates, prune_expired: pruneExpired },
  data: [
    { name: 'security/core.group.csv', text: groups },
    { name: 'security/access.csv', text: access },
    { name: 'security/rules.xml', text: rules },
    { name: 'data/core.currency.csv', text: currencies },
    { name: 'data/core.country.csv', text: countries },
    { name: 'data/main-company.xml', text: mainCompany },
    { name: 'data/sequences.xml', text: sequences },
    { name: 'data/cron.xml', text: cron },
    ...viewFiles,
  ],
  demo: [
    { name: 'demo/core.company.csv', text: demoCoreCompany },
    { name: 'demo/core.user.csv', text: demoCoreUser },
  ],
  home: {
    steps: [
      {
        sequence: 10,
        label: 'Add your logo',
        text: 'It stands on quotations and in mail.',
        button: 'Add Logo',
        model: 'core.company',
        domain: [['logo', '!=', null]],
        needs: 'write',
        action: 'action_companies',
        opens: 'company',
      },
      {
        sequence: 30,
        label: 'Invite people',
        text: 'By mail or link, each with the rights that their work needs.',
        button: 'Invite',
        model: 'core.user',
        // The administrator who did the set-up is the first user.
        least: 2,
        needs: 'create',
        action: 'action_users',
        opens: 'invite',
      },
    ],
  },
  translations: { de: german },
})
