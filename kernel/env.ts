import type { KeyScope } from './access/key-scope.ts'
import type { AccessTables } from './access/tables.ts'
import type { Translate } from './i18n/translate.ts'
import type { ModelName } from './model/models.ts'
import type { Registry } from './model/registry.ts'
import type { OpenWrites } from './orm/compute/open-writes.ts'
import type { KeptParts } from './orm/statement/kept-parts.ts'
import type { Audience, Outbox } from './outbox.ts'
import type { LargeTables } from './schema/large-tables.ts'
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
  /** What the API key of the caller may do at most; null: no key, or one without a scope. */
  readonly scope: KeyScope | null
  /** Whether the caller may change credentials: logins, e-mail addresses, passwords, groups and keys of users. */
  readonly credentials: CredentialRight
}

/** after_password: not before the password is entered again. never: an API key whose scope does not say `credentials`. */
export type CredentialRight = 'allowed' | 'after_password' | 'never'

/** One request or job: immutable, handed to every kernel function as its first argument. */
export interface Env {
  readonly services: Services
  readonly registry: Registry
  readonly access: AccessTables
  /** Tables too large to sort completely for one request. */
  readonly large: LargeTables
  /** The transaction of this request, or the plain connection pool for single-statement reads. */
  readonly tx: Db
  readonly user: Principal
  /** Access control and record rules are off: the kernel or an addon acts, not the user. */
  readonly isSudo: boolean
  /** The transaction will be rolled back: only whether it succeeds counts, so costly results need not be made. */
  readonly isTrial: boolean
  /** The moment the request began; one `now` for everything it writes. */
  readonly now: Date
  readonly lang: string
  readonly tz: string
  /** Translates a sentence of the kernel or of an addon into the language of the request. */
  readonly t: Translate
  /** Appears in logs and the audit trail. A caller may choose it, so nothing may depend on its value. */
  readonly requestId: string
  /** Whether changes are recorded in the audit trail; false only for the service itself. */
  readonly isAudited: boolean
  /** Where the request came from; null for a job or a command. */
  readonly address: string | null
  /** The verbs of one model, typed by its declaration. */
  model<M extends ModelName>(name: M): ModelApi<M>
  /** Whether the user is in the group with this external id; always true under sudo. */
  hasGroup(xmlid: string): boolean
  /** Views, actions and menus as they were committed last; what this transaction changed is not in them. */
  views(): Promise<ViewTables>
  /** Events of this transaction, written just before its commit. */
  readonly outbox: Outbox
  /** Records that this transaction is writing right now. */
  readonly openWrites: OpenWrites
  /** What earlier requests built for this caller; absent if the service does not remember the caller. */
  readonly parts?: KeptParts | undefined
  /** Adds an event to the outbox; it is published if and only if this transaction commits. */
  emit(channel: string, payload: Readonly<Record<string, unknown>>, audience?: Audience): void
  /**
   * Acts without the access lines, record rules and field groups of the user. `reason` tells a reader of the code why that is
   * right. The scope of an API key stays, unless `beyondScope` says that this is a consequence of what the scope allowed.
   */
  sudo(reason: string, options?: SudoOptions): Env
  /** Acts as another user; the scope of the caller's key and the right to change credentials stay. */
  as(user: Principal): Env
  inCompany(companyId: number): Env
  /** The env of a trial, whose transaction will be rolled back in any case (`isTrial`). */
  onTrial(): Env
  /** The env in another language, for texts that another person will read. */
  inLanguage(lang: string): Env
}

export interface SudoOptions {
  readonly beyondScope?: boolean
}

/** The kernel itself acts: stored values that are the same for all users, defaults, links that a delete clears. */
export const asKernel = (env: Env): Env => env.sudo('the kernel itself acts', { beyondScope: true })
