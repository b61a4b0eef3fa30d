import { linesAllow } from '../access/acl.ts'
import { findPrincipal } from '../auth/principal.ts'
import type { Env, Principal } from '../env.ts'
import { invalid } from '../errors.ts'
import type { Field } from '../model/fields/field.ts'
import type { ModelName } from '../model/models.ts'
import type { Model } from '../model/registry.ts'
import { allOf, columnOf, compileRule, fromTable, rootScope } from '../orm/statement/scope.ts'
import { sql } from '../sql/sql.ts'
import { listKeysOfUser, openSessions, readPerson } from './people.ts'
import type { WireHandOver, WireHandOverItem } from './wire-people.ts'

/** Records of one model that a user holds by one field. */
interface Holding {
  readonly key: string
  readonly model: Model
  readonly field: Field
  readonly label: string
  readonly domain: readonly unknown[]
}

/** The user who takes each holding, by its key; null: the records get no user. Holdings that are not named stay with the user. */
export type Takers = Readonly<Record<string, number | null>>

/** Records that were handed over, and their new user. */
interface Moved {
  readonly holding: Holding
  readonly ids: readonly number[]
  readonly taker: Principal | null
}

/** What a user holds, how much of it the administrator may hand over, and who may take it. */
export async function previewHandOver(env: Env, userId: number): Promise<WireHandOver> {
  await readPerson(env, userId)
  const people = await env.model('core.user').searchRead([['id', '!=', userId]], ['name', 'group_ids', 'company_ids'])
  const workers = people.map(({ id, group_ids, company_ids }) => ({
    id,
    as: env.as({ ...env.user, groupIds: withImplied(env, group_ids) }),
    worksIn: (companies: readonly number[]) => companies.every((company) => company_ids.includes(company)),
  }))
  const mayTake = ({ model }: Holding, companies: readonly number[]) =>
    workers.filter(({ as, worksIn }) => mayWork(as, model) && worksIn(companies)).map(({ id }) => id)
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
      takers: mayTake(holding, count === 0 ? [] : await companiesOf(everywhere(env), holding, userId)),
    })
  }
  return {
    items,
    people: people.map(({ id, name }) => ({ id, name })),
    sessions: (await openSessions(env, userId)).length,
    keys: await listKeysOfUser(env, userId),
  }
}

/**
 * Deactivates a user: records go to others by ordinary writes with the rights of the administrator; archiving the user revokes
 * keys and ends sessions. All of it happens or nothing, also if a taker could not work with the records. Returns how many records were handed over.
 */
export async function deactivateUser(env: Env, userId: number, takers: Takers): Promise<number> {
  await readPerson(env, userId)
  const known = new Map(holdings(env).map((holding) => [holding.key, holding]))
  const moved: Moved[] = []
  for (const [key, taker] of Object.entries(takers)) {
    const holding = known.get(key)
    if (holding === undefined)
      throw invalid('value_invalid', { [key]: env.t('There is nothing to hand over by this name.') })
    const user = await requireTaker(env, holding, userId, taker)
    moved.push({ holding, ids: await handOver(everywhere(env), holding, userId, taker), taker: user })
  }
  await env.model('core.user').write([userId], { active: false })
  await requireReach(env, moved)
  return moved.reduce((sum, { ids }) => sum + ids.length, 0)
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

/** The companies of the records to hand over. */
async function companiesOf(env: Env, holding: Holding, userId: number): Promise<readonly number[]> {
  const { hasCompany, fields } = holding.model
  if (!hasCompany || fields.get('company_id')!.column === null) return []
  const counts = await verbsOf(env, holding).countBy('company_id' as never, domainOf(holding, userId), {
    archived: 'include',
  })
  return [...counts.keys()]
}

const countAll = (env: Env, holding: Holding, userId: number): Promise<number> =>
  verbsOf(env.sudo('says how many records the administrator does not see'), holding).count(domainOf(holding, userId), {
    archived: 'include',
  })

/** Whether the user of the env may read and change records of a model at all. */
const mayWork = (env: Env, { name }: Model): boolean => linesAllow(env, name, 'read') && linesAllow(env, name, 'write')

async function requireTaker(
  env: Env,
  { key, field, model }: Holding,
  userId: number,
  taker: number | null,
): Promise<Principal | null> {
  if (taker === null) {
    if (field.required) throw invalid('value_invalid', { [key]: env.t('These records must have somebody.') })
    return null
  }
  const user = taker === userId ? null : await findPrincipal(env, taker)
  if (user === null || !mayWork(env.as(user), model))
    throw invalid('value_invalid', { [key]: env.t('This user may not take these records.') })
  return user
}

async function handOver(env: Env, holding: Holding, userId: number, taker: number | null): Promise<readonly number[]> {
  const verbs = verbsOf(env, holding)
  const ids = await verbs.search(domainOf(holding, userId), { archived: 'include' })
  if (ids.length === 0) return ids
  const { name, relation } = holding.field
  const commands = [[3, userId], ...(taker === null ? [] : [[4, taker]])]
  await verbs.write(ids, { [name]: relation?.kind === 'many2many' ? commands : taker } as never)
  return ids
}

/**
 * Throws unless every taker can read and change the records they got, by the record rules and in their own companies. Rules may depend
 * on the user of this or another record that is handed over too, so call it after everything has been written.
 */
async function requireReach(env: Env, moved: readonly Moved[]): Promise<void> {
  const problems: Record<string, string> = {}
  for (const { holding, ids, taker } of moved) {
    if (taker === null) continue
    const lost = await countLost(env.as(taker), holding, ids)
    if (lost > 0)
      problems[holding.key] = env.t(
        '{name} could not work with {count} of these {total} records: they belong to other companies, or a rule forbids it.',
        { name: taker.name, count: lost, total: ids.length },
      )
  }
  if (Object.keys(problems).length > 0) throw invalid('value_invalid', problems)
}

/** How many of these records the user of the env may not read or not change. */
async function countLost(env: Env, { model }: Holding, ids: readonly number[]): Promise<number> {
  const scope = rootScope(env, model)
  const may = allOf([compileRule(scope, 'read'), compileRule(scope, 'write')])
  const { rows } = await sql<{ lost: number }>`
    select count(*)::int as lost from ${fromTable(scope)}
    where ${columnOf(scope, 'id')} = any(${ids}::int[]) and (${may}) is not true`.execute(env.tx)
  return rows[0]!.lost
}
