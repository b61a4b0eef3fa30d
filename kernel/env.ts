import type { AccessTables } from './access/tables.ts'
import type { Translate } from './i18n/translate.ts'
import type { ModelName } from './model/models.ts'
import type { Registry } from './model/registry.ts'
import type { Audience, Outbox } from './outbox.ts'
import type { Services } from './services.ts'
import type { Db } from './sql/database.ts'
import type { ViewTables } from './view/tables.ts'
import type { ModelApi } from './work/model-api.ts'

/** Who acts. Group ids include every implied group. */
export interface Principal {
  readonly id: number
  readonly login: string
  readonly name: string
  readonly groupIds: ReadonlySet<number>
  /** Active companies in order; the first is the current one. */
  readonly companyIds: readonly number[]
  /** Every company the user belongs to. */
  readonly allowedCompanyIds: readonly number[]
  readonly lang: string
  readonly tz: string
}

/** One request or job: immutable, handed to every kernel function as its first argument. */
export interface Env {
  readonly services: Services
  readonly registry: Registry
  readonly access: AccessTables
  /** The transaction of this request, or the plain connection pool for single-statement reads. */
  readonly tx: Db
  readonly user: Principal
  /** Access control and record rules are off: the kernel or an addon acts, not the user. */
  readonly isSudo: boolean
  /** The moment the request began; one `now` for everything it writes. */
  readonly now: Date
  readonly lang: string
  readonly tz: string
  /** Translates a sentence of the kernel or of an addon into the language of the request. */
  readonly t: Translate
  readonly requestId: string
  /** The verbs of one model, typed by its declaration. */
  model<M extends ModelName>(name: M): ModelApi<M>
  /** Whether the user is in the group with this external id; always true under sudo. */
  hasGroup(xmlid: string): boolean
  /** Views, actions and menus as they were committed last; what this transaction changed is not in them. */
  views(): Promise<ViewTables>
  /** Events of this transaction, written just before its commit. */
  readonly outbox: Outbox
  /** Adds an event to the outbox; it is published if and only if this transaction commits. */
  emit(channel: string, payload: Readonly<Record<string, unknown>>, audience?: Audience): void
  sudo(): Env
  as(user: Principal): Env
  inCompany(companyId: number): Env
}
