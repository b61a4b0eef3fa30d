import type { Registry } from '../model/registry.ts'
import { type Sql, type SqlBool, sql } from '../sql/sql.ts'
import type { Checked, DomainNode } from './ast.ts'
import { compileComparison } from './compile-comparison.ts'
import { compileAny, compileHierarchy } from './compile-relation.ts'
import { optimize } from './optimize.ts'
import { NO_READER, type ReaderWords } from './reader-words.ts'

export interface CompileContext {
  readonly registry: Registry
  /** Alias of the table that the condition is on. */
  readonly alias: string
  readonly tz: string
  /** The words that texts are compared in; by default those of no reader, as in record rules, which are the same in every language. */
  readonly words?: ReaderWords
  /** The record rule that rows of a related model must match; null: none. Inside a rule no other rules apply. */
  rule(model: string): DomainNode | null
}

/** A row of the statement being built, and what compiling a condition on it needs. */
export interface RowContext {
  readonly registry: Registry
  readonly tz: string
  readonly words: ReaderWords
  readonly alias: string
  /** The column that has the row's id; a foreign key column saves a join. */
  readonly id: string
  readonly rule: (model: string) => DomainNode | null
  /** Too many relations for the planner to consider as joins (see `MAX_JOINS`). */
  readonly isCrowded: boolean
  /** Relations between the statement's own row and this one. */
  readonly depth: number
  /** The depth from which relations are compiled as sets of ids. */
  readonly setsFrom: number
  /** A table alias not used before in this condition. */
  readonly nextAlias: () => string
  /**
   * Compiles the condition or its complement. The SQL may be null where the condition is false, so it must not be negated
   * afterwards.
   */
  readonly compile: (node: DomainNode, row: RowContext, negated: boolean) => Sql<SqlBool>
}

/**
 * With more relations than this every relation is a set of ids that PostgreSQL plans separately. Planning a hundred of them as
 * semi joins takes 15 s and more, separately a few milliseconds.
 */
const MAX_JOINS = 8

/**
 * A domain as a condition on the row at `alias`, for WHERE: true where the record matches, false or null where not. Values are
 * bound, lists as one array each, so the text depends on the shape of the domain alone.
 */
export function compileDomain(node: Checked<DomainNode>, context: CompileContext): Sql<SqlBool> {
  let aliases = 0
  const rules = new Map<string, DomainNode | null>()
  const rule = (model: string) => {
    if (!rules.has(model)) rules.set(model, simplifyRule(context.rule(model)))
    return rules.get(model) ?? null
  }
  const nextAlias = () => {
    aliases++
    return `${context.alias}_${aliases}`
  }
  const { registry, tz, words = NO_READER, alias } = context
  const optimized = optimize(node)
  const isCrowded = countRelations(optimized) > MAX_JOINS
  const setsFrom = isCrowded ? 0 : 2
  const start = { id: 'id', depth: 0, setsFrom, isCrowded, rule, nextAlias, compile: compileNode }
  const row: RowContext = { registry, tz, words, alias, ...start }
  return compileNode(optimized, row, false)
}

/** How many relations the conditions of a domain follow. */
export function countRelations(node: DomainNode): number {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.items.reduce((sum, item) => sum + countRelations(item), 0)
    case 'not':
    case 'rewritten':
      return countRelations(node.item)
    case 'any':
      return 1 + countRelations(node.where)
    default:
      return 0
  }
}

function simplifyRule(rule: DomainNode | null): DomainNode | null {
  const node = rule === null ? null : optimize(rule)
  return node?.kind === 'constant' && node.value ? null : node
}

/** Negation is pushed down to the leaves: each compiles its own complement, which handles null and can use indexes. */
function compileNode(node: DomainNode, row: RowContext, negated: boolean): Sql<SqlBool> {
  switch (node.kind) {
    case 'constant':
      return node.value === negated ? sql`false` : sql`true`
    case 'not':
      return compileNode(node.item, row, !negated)
    case 'rewritten':
      return compileNode(node.item, row, negated)
    case 'and':
    case 'or': {
      const word = (node.kind === 'and') === negated ? sql` or ` : sql` and `
      return sql`(${sql.join(
        node.items.map((item) => compileNode(item, row, negated)),
        word,
      )})`
    }
    case 'compare':
      return compileComparison(node, row, negated)
    case 'any':
      return compileAny(node, row, negated)
    case 'hierarchy':
      return compileHierarchy(node, row, negated)
  }
}
