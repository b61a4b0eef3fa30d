import type { Env, Principal } from '../env.ts'
import { accessDenied } from '../errors.ts'
import type { ModelName } from '../model/models.ts'
import { OpenWrites } from '../orm/compute/open-writes.ts'
import type { KeptParts } from '../orm/statement/kept-parts.ts'
import { Outbox } from '../outbox.ts'
import { NO_LARGE_TABLES } from '../schema/large-tables.ts'
import type { KernelState, Services } from '../services.ts'
import type { Db } from '../sql/database.ts'
import { bindModel } from './bind-model.ts'

export interface EnvOptions {
  readonly services: Services
  readonly state: KernelState
  readonly tx: Db
  readonly user: Principal
  readonly requestId: string
  readonly address?: string | null
  /** False: the caller writes one line of the audit trail for the whole change. */
  readonly isAudited?: boolean
  readonly now: Date
  readonly lang?: string
  readonly tz?: string
  readonly sudo?: boolean
  readonly isTrial?: boolean
  /** The subject whose later reads must see what the transaction writes (`fenceSubject`); absent: none. */
  readonly writer?: string
  readonly parts?: KeptParts | undefined
}

/** Shared by all envs of one transaction. */
type Shared = Pick<Env, 'outbox' | 'openWrites'>

/** Options of an env, which needs no epoch of its state. */
type WithoutEpoch = Omit<EnvOptions, 'state'> & { readonly state: Omit<KernelState, 'epoch'> & Partial<KernelState> }

/** Every env has all options, so that an env made from another one keeps their hidden class (runtime/README.md). */
export const createEnv = (options: WithoutEpoch): Env =>
  makeEnv({ sudo: false, isTrial: false, ...options }, { outbox: new Outbox(), openWrites: new OpenWrites() })

function makeEnv(options: WithoutEpoch, shared: Shared): Env {
  const { services, state, tx, user, requestId, now } = options
  const isSudo = options.sudo ?? false
  const lang = options.lang ?? user.lang
  const env: Env = {
    services,
    registry: state.registry,
    access: state.access,
    large: state.large ?? NO_LARGE_TABLES,
    tx,
    user,
    isSudo,
    isTrial: options.isTrial ?? false,
    now,
    lang,
    tz: options.tz ?? user.tz,
    t: state.registry.translatorIn(lang),
    requestId,
    isAudited: options.isAudited ?? true,
    address: options.address ?? null,
    ...shared,
    views: state.views,
    parts: options.parts,
    model: <M extends ModelName>(name: M) => bindModel(env, name),
    hasGroup(xmlid) {
      const id = state.access.groupIdByXmlid.get(xmlid)
      return isSudo || (id !== undefined && user.groupIds.has(id))
    },
    emit: (channel, payload, audience) => shared.outbox.publish(channel, payload, audience),
    sudo(_reason, { beyondScope = false } = {}) {
      const scope = beyondScope ? null : user.scope
      return isSudo && scope === user.scope
        ? env
        : makeEnv({ ...options, user: { ...user, scope }, sudo: true }, shared)
    },
    as(other) {
      const { scope, credentials } = user
      return makeEnv({ ...options, user: { ...other, scope, credentials }, sudo: false }, shared)
    },
    onTrial: () => makeEnv({ ...options, isTrial: true }, shared),
    inLanguage: (other) => makeEnv({ ...options, lang: other }, shared),
    inCompany(companyId) {
      if (!isSudo && !user.allowedCompanyIds.includes(companyId))
        throw accessDenied('company_access', 'You do not belong to this company.')
      const companyIds = [companyId, ...user.companyIds.filter((id) => id !== companyId)]
      return makeEnv({ ...options, user: { ...user, companyIds } }, shared)
    },
  }
  return Object.freeze(env)
}
