import { linesAllow } from '../access/acl.ts'
import { findPrincipal } from '../auth/principal.ts'
import type { Env } from '../env.ts'
import { invalid } from '../errors.ts'
import type { Field } from '../model/fields/field.ts'
import type { ModelName } from '../model/models.ts'
import type { Model } from '../model/registry.ts'
import { sql } from '../sql/sql.ts'
import type { WireHandOver, WireHandOverItem } from '../view/wire-admin.ts'
import { listKeys, openSessions, readPerson } from './people.ts'

/** Records of one model that a user holds by one field. */
interface Holding {
  readonly key: string
  readonly model: Model
  readonly field: Field
  readonly label: string
  readonly domain: readonly unknown[]
}

/** Who takes what, by key; null: nobody. What is not named stays with the user. */
export type Takers = Readonly<Record<string, number | null>>

/** What a user holds, how much of it the administrator may hand over, and who may take it. */
export async function previewHandOver(env: Env, userId: number): Promise<WireHandOver> {
  await readPerson(env, userId)
  const people = await env.model('core.user').searchRead([['id', '!=', userId]], ['name', 'group_ids'])
  const workers = people.map(({ id, group_ids }) => ({
    id,
    as: env.as({ ...env.user, groupIds: withImplied(env, group_ids) }),
  }))
  const mayTake = (model: string) => workers.filter(({ as }) => linesAllow(as, model, 'write')).map(({ id }) => id)
  const items: WireHandOverItem[] = []
  for (const holding of holdings(env)) {
    const { key, model, field, label } = holding
    const [count, all] = [await countOf(everywhere(env), holding, userId), await countAll(env, holding, userId)]
    if (all === 0) continue
    const mayBeNobody = !field.required
    items.push({
      key,
      label,
      module: model.addon,
      count,
      elsewhere: all - count,
      mayBeNobody,
      takers: mayTake(model.name),
    })
  }
  return {
    items,
    people: people.map(({ id, name }) => ({ id, name })),
    sessions: (await openSessions(env, userId)).length,
    keys: await listKeys(env, userId),
  }
}

/**
 * Deactivates a user: records go to others by ordinary writes with the rights of the administrator, keys are revoked for good and
 * sessions end. All of it happens, or nothing. Returns how many records changed hands.
 */
export async function deactivate(env: Env, userId: number, takers: Takers): Promise<number> {
  await readPerson(env, userId)
  const known = new Map(holdings(env).map((holding) => [holding.key, holding]))
  let moved = 0
  for (const [key, taker] of Object.entries(takers)) {
    const holding = known.get(key)
    if (holding === undefined)
      throw invalid('value_invalid', { [key]: env.t('There is nothing to hand over by this name.') })
    await requireTaker(env, holding, userId, taker)
    moved += await handOver(everywhere(env), holding, userId, taker)
  }
  const keys = await env.model('core.api.key').search([['user_id', '=', userId]])
  if (keys.length > 0) await env.model('core.api.key').write(keys, { active: false })
  await env.model('core.user').write([userId], { active: false })
  await sql`delete from sys_session where user_id = ${userId}`.execute(env.tx)
  await sql`delete from sys_reset where user_id = ${userId}`.execute(env.tx)
  return moved
}

const withImplied = ({ access }: Env, groupIds: readonly number[]): ReadonlySet<number> =>
  new Set(groupIds.flatMap((id) => [...(access.impliedGroups.get(id) ?? [])]))

const holdings = (env: Env): readonly Holding[] =>
  [...env.registry.models.values()].flatMap((model) =>
    [...model.handOver].map(([name, { label, domain = [] }]) => ({
      key: `${model.name}.${name}`,
      model,
      field: model.fields.get(name)!,
      label: env.t(label),
      domain,
    })),
  )

/** The administrator in all companies at once: what is handed over does not depend on those chosen in the sidebar. */
const everywhere = (env: Env): Env => env.as({ ...env.user, companyIds: env.user.allowedCompanyIds })

/** Models are known by name only here, so the typed verbs take the domain as it was declared and checked. */
const verbsOf = (env: Env, { model }: Holding) => env.model(model.name as ModelName)
const domainOf = ({ field, domain }: Holding, userId: number) => [...domain, [field.name, '=', userId]] as never

const countOf = (env: Env, holding: Holding, userId: number): Promise<number> =>
  linesAllow(env, holding.model.name, 'write')
    ? verbsOf(env, holding).count(domainOf(holding, userId), { archived: 'include' })
    : Promise.resolve(0)

const countAll = (env: Env, holding: Holding, userId: number): Promise<number> =>
  verbsOf(env.sudo('says how many records the administrator does not see'), holding).count(domainOf(holding, userId), {
    archived: 'include',
  })

async function requireTaker(
  env: Env,
  { key, field, model }: Holding,
  userId: number,
  taker: number | null,
): Promise<void> {
  if (taker === null) {
    if (field.required) throw invalid('value_invalid', { [key]: env.t('These records must have somebody.') })
    return
  }
  const user = taker === userId ? null : await findPrincipal(env, taker)
  if (user === null || !linesAllow(env.as(user), model.name, 'write'))
    throw invalid('value_invalid', { [key]: env.t('This user may not take these records.') })
}

async function handOver(env: Env, holding: Holding, userId: number, taker: number | null): Promise<number> {
  const verbs = verbsOf(env, holding)
  const ids = await verbs.search(domainOf(holding, userId), { archived: 'include' })
  if (ids.length === 0) return 0
  const { name, relation } = holding.field
  const commands = [[3, userId], ...(taker === null ? [] : [[4, taker]])]
  await verbs.write(ids, { [name]: relation?.kind === 'many2many' ? commands : taker } as never)
  return ids.length
}
