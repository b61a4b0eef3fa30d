/** Everything an addon may use. */

export { mayReadField } from './access/acl.ts'
export { explainDomainText } from './access/domain-text.ts'
export type { KeyScope } from './access/key-scope.ts'
export { loginKey } from './auth/check-password.ts'
export { findPrincipal } from './auth/principal.ts'
export { isTimeZone } from './domain/zone.ts'
export type { Env, Principal } from './env.ts'
export { bumpAccessEpoch, bumpViewEpoch } from './epoch.ts'
export { AppError, accessDenied, badRequest, conflict, invalid, notFound, refusal, unavailable } from './errors.ts'
export { htmlOfText, isMarkup } from './html/from-text.ts'
export { MESSAGE_HTML, sanitizeHtml, textOfHtml } from './html/sanitize.ts'
export { recordIdText, wholeNumber } from './http/fields.ts'
export { jsonAnswer, redirect } from './http/respond.ts'
export { requireSameSite } from './http/same-site.ts'
export { wantsJson } from './http/wants.ts'
export { isLanguage } from './i18n/language.ts'
export type { Translate, Words, WordsByLanguage } from './i18n/translate.ts'
export { LIMITS } from './limits.ts'
export * from './model/behavior.ts'
export * from './model/define.ts'
export { field } from './model/field-types.ts'
export { type Field, type FieldDef, type FieldOptions, Refusal } from './model/fields/field.ts'
export type { LinkCommand } from './model/fields/x2many.ts'
export type { HomeActivities, HomeFigure, HomeParts } from './model/home.ts'
export * from './model/models.ts'
export type { Model } from './model/registry.ts'
export type { ServerAction } from './model/server-action.ts'
export { type Addon, defineAddon, type Job } from './module/addon.ts'
export { multiplyMoney, roundMoney, roundToFactor, sumMoney } from './money.ts'
export { copyRecord } from './orm/record/copy.ts'
export { displayNames } from './orm/record/project.ts'
export { recomputeStored } from './orm/record/recompute-stored.ts'
export { mayReachRecord, requireRecord } from './orm/record/require-record.ts'
export {
  forgetCounter,
  nextNumber,
  nextNumbers,
  previewNumbers,
  syncCounter,
  unknownTokens,
} from './orm/record/sequence.ts'
export * from './reasons.ts'
export { form, route } from './serve/route.ts'
export { dynamic } from './sql/database.ts'
export { sql } from './sql/sql.ts'
export { isContentViewType, VIEW_TYPE_LABELS } from './view/arch/arch.ts'
export { explainView } from './view/check/validate.ts'
