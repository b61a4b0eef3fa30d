/** Everything an addon may use: a deliberate list, which `test/kernel/addon-surface.test.ts` repeats. */

export { mayReadField, mayUseModel, requireCall } from './access/acl.ts'
export { explainDomainText } from './access/domain-text.ts'
export type { KeyScope } from './access/key-scope.ts'
export { requireOwnUsers } from './access/own-users.ts'
export { refusePassword } from './admin/password-policy.ts'
export { type AuditActor, type AuditEntry, type AuditKind, actorOf, audit } from './audit.ts'
export { loginKey } from './auth/check-password.ts'
export { requireCredentialRight } from './auth/fresh.ts'
export { findPrincipal } from './auth/principal.ts'
export { sendAddressNotice, sendPasswordNotice } from './auth/send-reset-link.ts'
export type { DocumentDef, SumPart } from './document/declare.ts'
export { isTimeZone } from './domain/zone.ts'
export type { Env, Principal } from './env.ts'
export { bumpAccessEpoch, bumpViewEpoch } from './epoch.ts'
export { AppError, accessDenied, badRequest, conflict, invalid, notFound, refusal, unavailable } from './errors.ts'
export { explainColumns, type SavedColumn } from './exchange/export/columns.ts'
export { forgetBatches } from './exchange/import/batch.ts'
export { cancelImport, confirmImport, tryImport } from './exchange/import/confirm.ts'
export { mayUndoImports } from './exchange/import/may-undo.ts'
export { afterImport, resultHref } from './exchange/import/result-href.ts'
export { readAgain } from './exchange/import/stage.ts'
export { undoImport } from './exchange/import/undo.ts'
export { htmlOfText, isMarkup } from './html/from-text.ts'
export { MESSAGE_HTML, sanitizeHtml, textOfHtml } from './html/sanitize.ts'
export { recordIdText, wholeNumber } from './http/fields.ts'
export { jsonAnswer, redirect } from './http/respond.ts'
export { wantsJson } from './http/wants.ts'
export { isLanguage } from './i18n/language.ts'
export type { Translate, Words, WordsByLanguage } from './i18n/translate.ts'
export { LIMITS, PAGE_RECORDS } from './limits.ts'
export { isMailAddress } from './mail/mail-address.ts'
export { canSendMail } from './mail/mail-server.ts'
export { mailPerson, mailUser } from './mail/recipient.ts'
export * from './model/behavior.ts'
export * from './model/define.ts'
export { field } from './model/field-types.ts'
export { type Field, type FieldDef, type FieldOptions, Refusal } from './model/fields/field.ts'
export { labelIn } from './model/fields/translation.ts'
export type { LinkCommand } from './model/fields/x2many.ts'
export type { HomeActivities, HomeFigure, HomeParts, HomeStep } from './model/home.ts'
export * from './model/models.ts'
export { normalForm } from './model/normal-form.ts'
export type { Model } from './model/registry.ts'
export type { ServerAction } from './model/server-action.ts'
export {
  type IntegerSetting,
  type SettingDef,
  settingOfKey,
  settingProblem,
  type TextSetting,
} from './model/setting.ts'
export { defineViewKind, type ViewKind } from './model/view-kind.ts'
export { type Addon, defineAddon, type Job, type Lease, type LeaseJob } from './module/addon.ts'
export { multiplyMoney, roundMoney, roundToFactor, sumMoney } from './money.ts'
export { recordLink } from './navigation/href.ts'
export { copyRecord, copyRecords } from './orm/record/copy.ts'
export { displayNames } from './orm/record/project.ts'
export { readSetting } from './orm/record/read-setting.ts'
export { recomputeStored } from './orm/record/recompute-stored.ts'
export { mayReachRecord, requireRecord, requireRecords } from './orm/record/require-record.ts'
export {
  forgetCounter,
  nextNumber,
  nextNumbers,
  previewNumbers,
  syncCounter,
  unknownTokens,
} from './orm/record/sequence.ts'
export * from './reasons.ts'
export { currencySums } from './report/currency-sums.ts'
export { composeDocument, documentAddress, renderDocument } from './report/render-document.ts'
export { form, route } from './serve/route.ts'
export { addonSql as sql } from './sql/sql.ts'
export { isContentViewType, VIEW_TYPE_LABELS } from './view/arch/arch.ts'
export { type ViewProvenance, viewProvenance } from './view/check/provenance.ts'
export { explainView } from './view/check/validate.ts'
export { explainSort } from './workspace/order.ts'
