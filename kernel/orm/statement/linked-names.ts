import { trustDomain } from '../../access/decide.ts'
import { type AnyNode, type Checked, type DomainNode, FALSE, isPattern } from '../../domain/ast.ts'
import type { Env } from '../../env.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { allOf, columnOf, compileWhere, fromTable, stepTo } from './scope.ts'

/** If more linked records than this match, their ids do not replace the condition on the name. */
const MAX_NAMED = 200
/** A trigram index needs three letters. A shorter text occurs in so many records that the first page is soon found without one. */
const MIN_LETTERS = 3

/**
 * Finds in one statement the linked records whose names a domain searches for, and replaces these conditions by conditions on their ids.
 * A search in many columns then has only conditions on the table itself, each of which can use an index; with an OR over several tables
 * PostgreSQL would read every record. Only names in an OR with a text of the record are replaced; a domain without them is returned as it
 * is, without a statement.
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

/** The conditions on names of linked records that are in an OR with a condition on a text of the record. */
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

/** Ids of the records with a matching name that the caller may read. */
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
