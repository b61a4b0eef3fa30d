import { mayUseModel } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import { conflict, invalid } from '../../errors.ts'
import type { Field, Relation } from '../../model/fields/field.ts'
import type { LinkCommand } from '../../model/fields/x2many.ts'
import type { Model } from '../../model/registry.ts'
import { violatedReference } from '../../sql/pg-error.ts'
import { type SqlBool, sql } from '../../sql/sql.ts'
import { allOf, columnOf, compileRule, fromTable, modelOf, rootScope, type TableScope } from '../statement/scope.ts'
import { requireReadable } from '../statement/targets.ts'
import type { InputValues } from '../statement/values.ts'
import type { WriteRights } from '../statement/writable.ts'
import { create } from './create.ts'
import { unlink } from './unlink.ts'
import { write, writeEach } from './write.ts'

/**
 * The combined effect of the commands of one field over all records. Linked records are created, written and deleted with the
 * access checks of their model.
 */
interface LinkPlan {
  readonly creates: { readonly owner: number; readonly values: InputValues }[]
  readonly writes: { readonly owner: number; readonly id: number; readonly values: InputValues }[]
  readonly deletes: { readonly owner: number; readonly id: number }[]
  readonly attach: { readonly owner: number; readonly id: number }[]
  readonly detach: { readonly owner: number; readonly id: number }[]
}

/** Applies x2many commands, by record id, to the linked records. */
export async function applyLinks(
  env: Env,
  field: Field,
  commands: ReadonlyMap<number, readonly LinkCommand[]>,
): Promise<void> {
  const relation = field.relation!
  const linked = await currentLinks(env, relation, [...commands.keys()])
  const plan: LinkPlan = { creates: [], writes: [], deletes: [], attach: [], detach: [] }
  for (const [owner, list] of commands) {
    const links = linked.get(owner) ?? new Set<number>()
    for (const command of list) planCommand(plan, owner, links, command, field)
  }
  const target = modelOf(env, relation.target)
  await requireReadable(
    env,
    target,
    plan.attach.map(({ id }) => id),
  )
  if (relation.kind === 'one2many') await applyToChildren(env, target, relation.inverse, plan)
  else if (relation.kind === 'many2many') {
    const emit = otherSide(env, target, relation)
    await emit('linking', [...plan.detach, ...plan.attach])
    const attached = await applyToLinkTable(env, target, relation, plan).catch((error) => {
      throw violatedReference(error) === relation.table ? absentTarget(env, field) : error
    })
    await emit('linked', attached)
  }
}

/** Returns a function that calls events of the linked model with its field over the same link table; it does nothing if there is no such field. */
function otherSide(env: Env, target: Model, { table, left, right }: Many2many) {
  const shown = [...target.fields.values()].find(
    ({ relation }) =>
      relation?.kind === 'many2many' && relation.table === table && relation.left === right && relation.right === left,
  )
  return async (event: 'linking' | 'linked', links: LinkPlan['attach']): Promise<void> => {
    if (shown === undefined || links.length === 0) return
    const ids = [...new Set(links.map(({ id }) => id))]
    for (const { [event]: handler } of target.events) await handler?.(env, ids, shown.name as never)
  }
}

type Many2many = Extract<Relation, { kind: 'many2many' }>

/** The error for links to records that do not exist. It names the written field; the link table alone may belong to a field of each side. */
function absentTarget(env: Env, { name, label, model }: Field) {
  const message = `${modelOf(env, model).label}: ${label} must refer to existing records.`
  return conflict('reference_broken', message, { fields: { [name]: message } })
}

/** Adds one command to the plan. `links` holds the record's links after the commands before it. */
function planCommand(plan: LinkPlan, owner: number, links: Set<number>, command: LinkCommand, field: Field): void {
  const attach = (id: number) => {
    if (!links.has(id)) plan.attach.push({ owner, id })
    links.add(id)
  }
  const detach = (id: number) => {
    if (links.delete(id)) plan.detach.push({ owner, id })
  }
  const own = (id: number) => {
    if (!links.has(id)) throw invalid('line_not_linked', { [field.name]: `Record ${id} is not linked to this one.` })
    return id
  }
  switch (command[0]) {
    case 0:
      plan.creates.push({ owner, values: command[2] })
      break
    case 1:
      plan.writes.push({ owner, id: own(command[1]), values: command[2] })
      break
    case 2:
      plan.deletes.push({ owner, id: own(command[1]) })
      links.delete(command[1])
      break
    case 3:
      detach(command[1])
      break
    case 4:
      attach(command[1])
      break
    case 5:
      for (const id of [...links]) detach(id)
      break
    case 6: {
      const wanted = new Set(command[2])
      for (const id of [...links]) if (!wanted.has(id)) detach(id)
      for (const id of wanted) attach(id)
      break
    }
  }
}

/**
 * The links that the caller may see. Commands ignore hidden links: sending back the visible list does not remove the hidden
 * ones, and no command reveals whether a hidden record is linked.
 */
async function currentLinks(
  env: Env,
  relation: Relation,
  owners: readonly number[],
): Promise<Map<number, Set<number>>> {
  if (relation.kind === 'many2one') throw new Error('a many2one takes no commands')
  const to = rootScope(env, modelOf(env, relation.target))
  const linked = new Map<number, Set<number>>()
  if (!mayUseModel(env, to.model.name, 'read')) return linked
  const source =
    relation.kind === 'many2many'
      ? { from: linkTable(relation, to), owner: sql.ref(`l.${relation.left}`) }
      : { from: fromTable(to), owner: columnOf(to, relation.inverse) }
  const where = allOf([sql<SqlBool>`${source.owner} = any(${owners}::int[])`, compileRule(to, 'read')])
  const { rows } = await sql<{ owner: number; id: number }>`
    select ${source.owner} as owner, ${columnOf(to, 'id')} as id from ${source.from} where ${where}`.execute(env.tx)
  for (const { owner, id } of rows) linked.set(owner, (linked.get(owner) ?? new Set()).add(id))
  return linked
}

const linkTable = ({ table, right }: Many2many, to: TableScope) =>
  sql`${sql.table(table)} as l join ${fromTable(to)} on ${columnOf(to, 'id')} = ${sql.ref(`l.${right}`)}`

async function applyToChildren(env: Env, target: Model, inverse: string, plan: LinkPlan): Promise<void> {
  const inverseField = target.fields.get(inverse)!
  const detached = plan.detach.map(({ id }) => id)
  // A line that cannot exist without its record is deleted with its link.
  const isDeleted =
    inverseField.required ||
    (inverseField.relation?.kind === 'many2one' && inverseField.relation.ondelete === 'cascade')
  const rights = { backLink: inverse }
  if (detached.length > 0)
    await (isDeleted ? unlink(env, target, detached) : write(env, target, detached, { [inverse]: null }, rights))
  if (plan.deletes.length > 0)
    await unlink(
      env,
      target,
      plan.deletes.map(({ id }) => id),
    )
  await writeLinked(env, target, plan.writes)
  if (plan.attach.length > 0)
    await writeEach(env, target, new Map(plan.attach.map(({ owner, id }) => [id, { [inverse]: owner }])), rights)
  await createLinked(
    env,
    target,
    plan.creates.map(({ owner, values }) => ({ ...values, [inverse]: owner })),
    rights,
  )
}

/** A record with two commands is written twice, in their order, so that the later values win. */
async function writeLinked(env: Env, target: Model, writes: LinkPlan['writes']): Promise<void> {
  const rounds: Map<number, InputValues>[] = []
  for (const { id, values } of writes) {
    const round = rounds.find((each) => !each.has(id)) ?? new Map<number, InputValues>()
    if (round.size === 0) rounds.push(round)
    round.set(id, values)
  }
  for (const round of rounds) await writeEach(env, target, round)
}

/** Does not call `create` without records, because that needs the right to create and linking existing records does not. */
const createLinked = async (
  env: Env,
  target: Model,
  records: readonly InputValues[],
  rights: WriteRights = {},
): Promise<number[]> => (records.length === 0 ? [] : create(env, target, records, rights))

async function applyToLinkTable(
  env: Env,
  target: Model,
  relation: Many2many,
  plan: LinkPlan,
): Promise<LinkPlan['attach']> {
  await writeLinked(env, target, plan.writes)
  const made = await createLinked(
    env,
    target,
    plan.creates.map(({ values }) => values),
  )
  const attach = [...plan.attach, ...plan.creates.map(({ owner }, index) => ({ owner, id: made[index]! }))]
  const { table, left, right } = relation
  const pairs = (links: LinkPlan['attach']) =>
    sql`unnest(${links.map((link) => link.owner)}::int[], ${links.map((link) => link.id)}::int[]) as p(owner, id)`
  if (plan.detach.length > 0) {
    await sql`delete from ${sql.table(table)} as l using ${pairs(plan.detach)}
      where ${sql.ref(`l.${left}`)} = p.owner and ${sql.ref(`l.${right}`)} = p.id`.execute(env.tx)
  }
  if (plan.deletes.length > 0)
    await unlink(
      env,
      target,
      plan.deletes.map(({ id }) => id),
    )
  if (attach.length > 0) {
    await sql`insert into ${sql.table(table)} (${sql.ref(left)}, ${sql.ref(right)})
      select p.owner, p.id from ${pairs(attach)} on conflict do nothing`.execute(env.tx)
  }
  return attach
}
