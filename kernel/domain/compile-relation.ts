import type { Relation } from '../model/fields/field.ts'
import { type Sql, type SqlBool, sql } from '../sql/sql.ts'
import { type AnyNode, type DomainNode, type HierarchyNode, TRUE } from './ast.ts'
import type { RowContext } from './compile.ts'
import { NO_READER } from './reader-words.ts'

const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`)

const from = (table: string, alias: string) => sql`${sql.table(table)} as ${sql.table(alias)}`

/** Inside a rule the rules of other models do not apply, and nothing is in the words of the reader. */
const insideRule = (row: RowContext): RowContext => ({ ...row, rule: () => null, words: NO_READER })

const allOf = (conditions: readonly Sql<SqlBool>[]) => sql<SqlBool>`${sql.join(conditions, sql` and `)}`

/**
 * EXISTS, which PostgreSQL turns into a semi join or, negated, an anti join. From a certain depth on (`setsFrom`) the ids that
 * match are collected once and looked up: nested subqueries would go over the same records again for every record above them.
 */
export function compileAny(node: AnyNode, row: RowContext, negated: boolean): Sql<SqlBool> {
  const relation = node.field.relation!
  const rule = row.rule(node.target)
  // `create_uid` and `write_uid` have no foreign key, so their user may have been deleted.
  const isOnlyId = rule === null && !node.field.system && testsOnlyId(node.where)
  if (relation.kind === 'many2one' && isOnlyId) return compileReference(node, row, negated)
  if (row.depth >= row.setsFrom) return compileMember(node, row, negated)
  const linked = relation.kind === 'many2many' && isOnlyId ? linkIds(node, relation, row) : linkedRows(node, row)
  return negated ? sql`not exists (${linked})` : sql`exists (${linked})`
}

/** The matching ids as a subquery independent of `row`. OFFSET 0 keeps PostgreSQL from merging it into a join, so it runs once and is hashed. */
function compileMember(node: AnyNode, row: RowContext, negated: boolean): Sql<SqlBool> {
  const { field, target, where } = node
  const relation = field.relation!
  const alias = row.nextAlias()
  const conditions = conditionsOn(target, nextRow(row, alias), where)
  const { rows, id } = MEMBERS[relation.kind](node, row, alias)
  const own = relation.kind === 'many2one' ? column(row.alias, field.column!) : ownId(row)
  const found = sql`select ${id} as id from ${rows} where ${allOf([sql<SqlBool>`${id} is not null`, ...conditions])} offset 0`
  const member = sql<SqlBool>`${own} in (select s.id from (${found}) as s)`
  // PostgreSQL does not turn a condition inside IS TRUE into a join.
  if (negated) return sql`(${member}) is not true`
  return row.isCrowded ? sql`(${member}) is true` : member
}

/** The target's rows as `alias`, and the column that a row's own id or reference is looked up in. */
const MEMBERS: Readonly<Record<Relation['kind'], (node: AnyNode, row: RowContext, alias: string) => Members>> = {
  many2one: ({ target }, row, alias) => ({ rows: tableOf(target, row, alias), id: column(alias, 'id') }),
  one2many: ({ field, target }, row, alias) => {
    const { inverse } = field.relation as Extract<Relation, { kind: 'one2many' }>
    return { rows: tableOf(target, row, alias), id: column(alias, inverse) }
  },
  many2many: ({ field, target }, row, alias) => {
    const { table, left, right } = field.relation as LinkTable
    const link = row.nextAlias()
    const on = sql`${column(alias, 'id')} = ${column(link, right)}`
    return { rows: sql`${from(table, link)} join ${tableOf(target, row, alias)} on ${on}`, id: column(link, left) }
  },
}

interface Members {
  readonly rows: Sql<unknown>
  readonly id: Sql<unknown>
}

/** The context of a related row. */
const nextRow = (row: RowContext, alias: string): RowContext => ({ ...row, alias, id: 'id', depth: row.depth + 1 })

/** Whether a condition reads only the id, so that a column with the id is enough. */
function testsOnlyId(node: DomainNode): boolean {
  switch (node.kind) {
    case 'constant':
    case 'hierarchy':
      return true
    case 'and':
    case 'or':
      return node.items.every(testsOnlyId)
    case 'not':
    case 'rewritten':
      return testsOnlyId(node.item)
    case 'compare':
      return node.field.name === 'id'
    case 'any':
      return false
  }
}

/** A many2one keeps the target's id in its own column. */
function compileReference({ field, where }: AnyNode, row: RowContext, negated: boolean): Sql<SqlBool> {
  const reference = column(row.alias, field.column!)
  const condition = row.compile(where, { ...row, id: field.column! }, negated)
  return negated ? sql`(${reference} is null or ${condition})` : sql`(${reference} is not null and ${condition})`
}

/** A subquery on the link table, without the target's table. */
function linkIds({ where }: AnyNode, { table, left, right }: LinkTable, row: RowContext): Sql<unknown> {
  const alias = row.nextAlias()
  const condition = row.compile(where, { ...nextRow(row, alias), id: right }, false)
  return sql`select from ${from(table, alias)} where ${column(alias, left)} = ${ownId(row)} and ${condition}`
}

type LinkTable = Extract<Relation, { kind: 'many2many' }>

const ownId = (row: RowContext) => column(row.alias, row.id)

function linkedRows(node: AnyNode, row: RowContext): Sql<unknown> {
  const alias = row.nextAlias()
  const { rows, joined } = LINKS[node.field.relation!.kind](node, row, alias)
  const conditions = conditionsOn(node.target, nextRow(row, alias), node.where)
  return sql`select from ${rows} where ${allOf([joined, ...conditions])}`
}

/** The target's rows as `alias` and the condition that joins them to `row`, by kind of relation. */
const LINKS: Readonly<Record<Relation['kind'], (node: AnyNode, row: RowContext, alias: string) => Link>> = {
  many2one: ({ field, target }, row, alias) => ({
    rows: tableOf(target, row, alias),
    joined: sql`${column(alias, 'id')} = ${column(row.alias, field.column!)}`,
  }),
  one2many: ({ field, target }, row, alias) => {
    const { inverse } = field.relation as Extract<Relation, { kind: 'one2many' }>
    return { rows: tableOf(target, row, alias), joined: sql`${column(alias, inverse)} = ${ownId(row)}` }
  },
  many2many: ({ field, target }, row, alias) => {
    const { table, left, right } = field.relation as LinkTable
    const link = row.nextAlias()
    const on = sql`${column(alias, 'id')} = ${column(link, right)}`
    return {
      rows: sql`${from(table, link)} join ${tableOf(target, row, alias)} on ${on}`,
      joined: sql`${column(link, left)} = ${ownId(row)}`,
    }
  },
}

interface Link {
  readonly rows: Sql<unknown>
  readonly joined: Sql<SqlBool>
}

const tableOf = (model: string, { registry }: RowContext, alias: string) => from(registry.model(model)!.table, alias)

/** The conditions on the rows of a related model: its record rule, and `where`. */
function conditionsOn(model: string, row: RowContext, where: DomainNode): Sql<SqlBool>[] {
  const rule = row.rule(model)
  const conditions = where.kind === 'constant' && where.value ? [] : [row.compile(where, row, false)]
  return rule === null ? conditions : [row.compile(rule, insideRule(row), false), ...conditions]
}

/**
 * Walks the hierarchy from the start records; every record on the way must match the rule. UNION removes duplicates, so
 * cycles end.
 */
export function compileHierarchy(node: HierarchyNode, row: RowContext, negated: boolean): Sql<SqlBool> {
  const { model, start, parentField, direction } = node
  const [first, next, walk] = [row.nextAlias(), row.nextAlias(), row.nextAlias()]
  const parent = (alias: string) => column(alias, parentField.column!)
  const rowOf = (alias: string): RowContext => ({ ...row, alias, id: 'id' })
  const begin = conditionsOn(model, rowOf(first), start)
  const step =
    direction === 'child_of'
      ? sql<SqlBool>`${parent(next)} = ${column(walk, 'id')}`
      : sql<SqlBool>`${column(next, 'id')} = ${column(walk, 'parent')}`
  const rule = conditionsOn(model, rowOf(next), TRUE)
  const found = sql`with recursive ${sql.table(walk)}(id, parent) as (
    select ${column(first, 'id')}, ${parent(first)} from ${tableOf(model, row, first)} where ${allOf([sql<SqlBool>`true`, ...begin])}
    union
    select ${column(next, 'id')}, ${parent(next)} from ${tableOf(model, row, next)} join ${sql.table(walk)} on ${allOf([step, ...rule])}
  ) select id from ${sql.table(walk)}`
  const member = sql<SqlBool>`${ownId(row)} in (${found})`
  return negated ? sql`(${member}) is not true` : member
}
