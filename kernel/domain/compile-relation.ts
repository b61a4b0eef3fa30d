import type { Relation } from '../model/fields/field.ts'
import { type Expression, type SqlBool, sql } from '../sql/sql.ts'
import { type AnyNode, type DomainNode, type HierarchyNode, TRUE } from './ast.ts'
import type { Place } from './compile.ts'

const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`)

const from = (table: string, alias: string) => sql`${sql.table(table)} as ${sql.table(alias)}`

/** Inside a rule the rules of other models do not apply. */
const withoutRules = (place: Place): Place => ({ ...place, rule: () => null })

const allOf = (conditions: readonly Expression<SqlBool>[]) => sql<SqlBool>`${sql.join(conditions, sql` and `)}`

/** EXISTS, which PostgreSQL turns into a semi join or, negated, an anti join. */
export function compileAny(node: AnyNode, place: Place, negated: boolean): Expression<SqlBool> {
  const relation = node.field.relation!
  const rule = place.rule(node.target)
  // Who created or wrote a record may be gone: no foreign key keeps those ids alive.
  const isOnlyId = rule === null && !node.field.system && asksOnlyId(node.where)
  if (relation.kind === 'many2one' && isOnlyId) return compileReference(node, place, negated)
  const linked = relation.kind === 'many2many' && isOnlyId ? linkIds(node, relation, place) : linkedRows(node, place)
  return negated ? sql`not exists (${linked})` : sql`exists (${linked})`
}

/** Whether a condition can be answered from a column that holds the record's id. */
function asksOnlyId(node: DomainNode): boolean {
  switch (node.kind) {
    case 'constant':
    case 'hierarchy':
      return true
    case 'and':
    case 'or':
      return node.items.every(asksOnlyId)
    case 'not':
    case 'rewritten':
      return asksOnlyId(node.item)
    case 'compare':
      return node.field.name === 'id'
    case 'any':
      return false
  }
}

/** A many2one keeps the target's id in its own column. */
function compileReference({ field, where }: AnyNode, place: Place, negated: boolean): Expression<SqlBool> {
  const reference = column(place.alias, field.column!)
  const condition = place.compile(where, { ...place, id: field.column! }, negated)
  return negated ? sql`(${reference} is null or ${condition})` : sql`(${reference} is not null and ${condition})`
}

/** The rows of a link table alone. */
function linkIds({ where }: AnyNode, { table, left, right }: LinkTable, place: Place): Expression<unknown> {
  const alias = place.nextAlias()
  const condition = place.compile(where, { ...place, alias, id: right }, false)
  return sql`select from ${from(table, alias)} where ${column(alias, left)} = ${ownId(place)} and ${condition}${place.fence}`
}

type LinkTable = Extract<Relation, { kind: 'many2many' }>

const ownId = (place: Place) => column(place.alias, place.id)

function linkedRows(node: AnyNode, place: Place): Expression<unknown> {
  const alias = place.nextAlias()
  const { rows, joined } = LINKS[node.field.relation!.kind](node, place, alias)
  const conditions = conditionsOn(node.target, { ...place, alias, id: 'id' }, node.where)
  return sql`select from ${rows} where ${allOf([joined, ...conditions])}${place.fence}`
}

/** The target's rows under `alias` and how they hang on the row of `place`, by kind of relation. */
const LINKS: Readonly<Record<Relation['kind'], (node: AnyNode, place: Place, alias: string) => Link>> = {
  many2one: ({ field, target }, place, alias) => ({
    rows: tableOf(target, place, alias),
    joined: sql`${column(alias, 'id')} = ${column(place.alias, field.column!)}`,
  }),
  one2many: ({ field, target }, place, alias) => {
    const { inverse } = field.relation as Extract<Relation, { kind: 'one2many' }>
    return { rows: tableOf(target, place, alias), joined: sql`${column(alias, inverse)} = ${ownId(place)}` }
  },
  many2many: ({ field, target }, place, alias) => {
    const { table, left, right } = field.relation as LinkTable
    const link = place.nextAlias()
    const on = sql`${column(alias, 'id')} = ${column(link, right)}`
    return {
      rows: sql`${from(table, link)} join ${tableOf(target, place, alias)} on ${on}`,
      joined: sql`${column(link, left)} = ${ownId(place)}`,
    }
  },
}

interface Link {
  readonly rows: Expression<unknown>
  readonly joined: Expression<SqlBool>
}

const tableOf = (model: string, { registry }: Place, alias: string) => from(registry.model(model)!.table, alias)

/** The rule of the model a hop reaches, and what is asked of its rows. */
function conditionsOn(model: string, row: Place, where: DomainNode): Expression<SqlBool>[] {
  const rule = row.rule(model)
  const asked = where.kind === 'constant' && where.value ? [] : [row.compile(where, row, false)]
  return rule === null ? asked : [row.compile(rule, withoutRules(row), false), ...asked]
}

/** Walks from the start records; every record on the way must meet the rule. UNION drops repeats, so cycles end. */
export function compileHierarchy(node: HierarchyNode, place: Place, negated: boolean): Expression<SqlBool> {
  const { model, start, parentField, direction } = node
  const [first, next, walk] = [place.nextAlias(), place.nextAlias(), place.nextAlias()]
  const parent = (alias: string) => column(alias, parentField.column!)
  const rowOf = (alias: string): Place => ({ ...place, alias, id: 'id' })
  const begin = conditionsOn(model, rowOf(first), start)
  const step =
    direction === 'child_of'
      ? sql<SqlBool>`${parent(next)} = ${column(walk, 'id')}`
      : sql<SqlBool>`${column(next, 'id')} = ${column(walk, 'parent')}`
  const rule = conditionsOn(model, rowOf(next), TRUE)
  const found = sql`with recursive ${sql.table(walk)}(id, parent) as (
    select ${column(first, 'id')}, ${parent(first)} from ${tableOf(model, place, first)} where ${allOf([sql<SqlBool>`true`, ...begin])}
    union
    select ${column(next, 'id')}, ${parent(next)} from ${tableOf(model, place, next)} join ${sql.table(walk)} on ${allOf([step, ...rule])}
  ) select id from ${sql.table(walk)}`
  const member = sql<SqlBool>`${ownId(place)} in (${found})`
  return negated ? sql`(${member}) is not true` : member
}
