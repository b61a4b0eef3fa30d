import type { Route } from '../kernel/serve/route.ts'
import * as explain from './api/explain.ts'
import * as health from './api/health.ts'
import * as openapi from './api/openapi.ts'
import * as ready from './api/ready.ts'
import * as rpc from './api/rpc.ts'
import * as tick from './internal/tick.ts'
import * as metrics from './metrics.ts'
import * as root from './root.ts'
import * as setup from './setup.ts'
import * as setupInit from './setup-init.ts'
import * as setupProgress from './setup-progress.ts'
import * as account from './web/account.ts'
import * as accountKeys from './web/account-keys.ts'
import * as accountPassword from './web/account-password.ts'
import * as accountSessions from './web/account-sessions.ts'
import * as actionCreateApiKey from './web/action-create-api-key.ts'
import * as actionResetPassword from './web/action-reset-password.ts'
import * as apps from './web/apps.ts'
import * as bulkConfirm from './web/bulk-confirm.ts'
import * as bulkErrors from './web/bulk-errors.ts'
import * as bulkTemplate from './web/bulk-template.ts'
import * as bulkUpload from './web/bulk-upload.ts'
import * as companySwitch from './web/company-switch.ts'
import * as confirm from './web/confirm.ts'
import * as exportPdf from './web/export-pdf.ts'
import * as exportTable from './web/export-table.ts'
import * as forgot from './web/forgot.ts'
import * as home from './web/home.ts'
import * as login from './web/login.ts'
import * as logout from './web/logout.ts'
import * as moduleAction from './web/module-action.ts'
import * as modulePlan from './web/module-plan.ts'
import * as picture from './web/picture.ts'
import * as reset from './web/reset.ts'
import * as settingsAccess from './web/settings/access.ts'
import * as settingsAccount from './web/settings/account.ts'
import * as settingsApp from './web/settings/app.ts'
import * as settingsInvite from './web/settings/invite.ts'
import * as settingsKeys from './web/settings/keys.ts'
import * as settingsMail from './web/settings/mail.ts'
import * as settingsOperations from './web/settings/operations.ts'
import * as settingsTranslations from './web/settings/translations.ts'
import * as settingsUser from './web/settings/user.ts'
import * as settingsUsers from './web/settings/users.ts'
import * as settings from './web/settings.ts'
import * as settingsAppLogs from './web/settings-app-logs.ts'
import * as shell from './web/shell.ts'
import * as staticFile from './web/static.ts'
import * as userPinnedApps from './web/user-pinned-apps.ts'
import * as wcAct from './web/wc-act.ts'
import * as wcAssignable from './web/wc-assignable.ts'
import * as wcEvents from './web/wc-events.ts'
import * as wcFind from './web/wc-find.ts'
import * as wcWorkspace from './web/wc-workspace.ts'

/** Every route of the kernel; handlers/README.md describes them. */
export const routes: readonly Route[] = [
  login.get,
  login.post,
  logout.get,
  health.get,
  rpc.post,
  setup.get,
  setupInit.post,
  root.get,
  home.get,
  apps.get,
  moduleAction.post,
  modulePlan.get,
  modulePlan.progress,
  settings.get,
  settingsAppLogs.get,
  settingsUsers.get,
  settingsAccount.get,
  settingsAccess.get,
  settingsAccess.fields,
  settingsKeys.get,
  settingsKeys.models,
  settingsKeys.post,
  settingsOperations.get,
  settingsOperations.retry,
  settingsOperations.retryAll,
  settingsTranslations.get,
  settingsApp.get,
  settingsApp.post,
  settingsMail.post,
  settingsMail.test,
  settingsInvite.post,
  settingsUser.get,
  settingsUser.handOver,
  settingsUser.deactivate,
  settingsUser.link,
  settingsUser.sessions,
  metrics.get,
  userPinnedApps.post,
  picture.get,
  actionResetPassword.get,
  actionResetPassword.post,
  actionCreateApiKey.get,
  actionCreateApiKey.post,
  companySwitch.post,
  shell.get,
  wcAct.post,
  wcAct.undo,
  wcAssignable.post,
  wcEvents.get,
  wcFind.get,
  wcWorkspace.get,
  exportTable.csv,
  exportPdf.get,
  exportTable.xlsx,
  bulkTemplate.get,
  bulkUpload.post,
  bulkConfirm.confirm,
  bulkConfirm.cancel,
  bulkUpload.legacy,
  bulkErrors.get,
  forgot.get,
  forgot.post,
  reset.get,
  reset.post,
  confirm.get,
  confirm.post,
  account.get,
  accountKeys.get,
  accountKeys.post,
  accountPassword.post,
  accountSessions.post,
  setupProgress.get,
  staticFile.get,
  ready.get,
  openapi.get,
  explain.get,
  tick.post,
]
