import { trustDomain } from '../../access/decide.ts'
import { type AnyNode, type Checked, type DomainNode, FALSE, isPattern } from '../../domain/ast.ts'
import type { Env } from '../../env.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { allOf, columnOf, compileWhere, fromTable, stepTo } from './scope.ts'

/** Linked records that are named by their ids; more than these are looked for record by record. */
const MAX_NAMED = 200
/** An index knows parts of three letters. Shorter texts are in so many records that the first ones have them. */
const MIN_LETTERS = 3

/**
 * Finds in one statement which linked records have the names that a domain looks for, and puts their ids in the place of the names. So a
 * search in many columns at once consists of conditions on the table itself, each of which can use an index; with the tables of the names
 * among the alternatives PostgreSQL would read every record. Only alternatives to a text of the record are treated so: a domain without
 * them is given back as it is, and costs no statement.
 */
export async function findLinkedNames(env: Env, node: Checked<DomainNode>): Promise<Checked<DomainNode>> {
  const names = namesIn(node)
  if (names.length === 0) return node
  const lists = names.map((name, index) => sql`array(${matches(env, name)}) as ${sql.id(String(index))}`)
  const { rows } = await sql<Record<string, readonly number[]>>`select ${sql.join(lists)}`.execute(env.tx)
  const ids = new Map(names.map((name, index) => [name, rows[0]![index]!]))
  return trustDomain(withIds(env, node, ids))
}

type NameNode = AnyNode & { readonly where: Extract<DomainNode, { kind: 'compare' }> }

/** The conditions on names of linked records that stand beside a condition on a text of the record. */
function namesIn(node: DomainNode): readonly NameNode[] {
  switch (node.kind) {
    case 'and':
      return node.items.flatMap(namesIn)
    case 'or':
      return node.items.some(isOwnText) ? node.items.filter(isName) : node.items.flatMap(namesIn)
    case 'not':
      return namesIn(node.item)
    default:
      return []
  }
}

const isOwnText = (node: DomainNode) => node.kind === 'compare' && isLong(node)

const isLong = (node: Extract<DomainNode, { kind: 'compare' }>) =>
  isPattern(node.operator) && typeof node.value === 'string' && node.value.length >= MIN_LETTERS

const isName = (node: DomainNode): node is NameNode =>
  node.kind === 'any' &&
  node.field.relation?.kind !== 'one2many' &&
  node.where.kind === 'compare' &&
  node.where.field.name === 'display_name' &&
  isLong(node.where)

/** As far as the caller may read them. */
function matches(env: Env, { target, where }: NameNode): Sql<unknown> {
  const { scope, readable } = stepTo({ env }, target, 'n')!
  const found = allOf([compileWhere(scope, trustDomain(where)), readable])
  return sql`select ${columnOf(scope, 'id')} from ${fromTable(scope)} where ${found} limit ${MAX_NAMED + 1}`
}

function withIds(env: Env, node: DomainNode, ids: ReadonlyMap<NameNode, readonly number[]>): DomainNode {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { ...node, items: node.items.map((item) => withIds(env, item, ids)) }
    case 'not':
      return { ...node, item: withIds(env, node.item, ids) }
    case 'any':
      return linkedTo(env, node, ids.get(node as NameNode))
    default:
      return node
  }
}

function linkedTo(env: Env, node: AnyNode, ids: readonly number[] | undefined): DomainNode {
  if (ids === undefined || ids.length > MAX_NAMED) return node
  if (ids.length === 0) return FALSE
  const oneOf = { kind: 'compare', part: null, operator: 'in', value: ids } as const
  const { model, field, target } = node
  if (field.relation!.kind === 'many2one') return { ...oneOf, model, field }
  return { ...node, where: { ...oneOf, model: target, field: env.registry.model(target)!.fields.get('id')! } }
}
