/** Everything an addon may use. */

export { explainDomainText } from './access/domain-text.ts'
export { bumpAccessEpoch } from './access/epoch.ts'
export type { KeyScope } from './auth/key-scope.ts'
export { isTimeZone } from './domain/zone.ts'
export type { Env, Principal } from './env.ts'
export { AppError, accessDenied, badRequest, conflict, invalid, notFound, unavailable } from './errors.ts'
export { json } from './http/respond.ts'
export { route } from './http/route.ts'
export * from './model/behavior.ts'
export * from './model/define.ts'
export type { FieldDef, FieldOptions } from './model/field.ts'
export { field } from './model/field-types.ts'
export * from './model/models.ts'
export { type Addon, defineAddon, type Job } from './module/addon.ts'
export { multiplyMoney, roundMoney, roundToFactor, sumMoney } from './money.ts'
export {
  forgetCounter,
  nextNumber,
  nextNumbers,
  previewNumbers,
  syncCounter,
  unknownTokens,
} from './orm/sequence.ts'
export { dynamic } from './sql.ts'
export { sql } from './sql-text.ts'
