import { decide } from '../../access/decide.ts'
import { isRelated } from '../../domain/relation.ts'
import { badRequest } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import type { Field } from '../../model/fields/field.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { allOf, columnOf, fromTable, type LinkTarget, stepTo, type TableScope } from '../statement/scope.ts'

/** The records being grouped and the tables joined to them, each once. */
export interface Sources {
  readonly root: TableScope
  readonly joins: Map<string, { readonly scope: TableScope; readonly clause: Sql<unknown>; readonly isLink?: true }>
}

/** Table and field that hold the value at the end of a path. */
export interface PathTarget {
  readonly scope: TableScope
  readonly field: Field
  /** The table of the field that the path names last. For a related field the value is in another table, `scope`. */
  readonly named: TableScope
}

/** The tables; of the many2many links only those named. */
export function fromSources({ root, joins }: Sources, links: ReadonlySet<string>): Sql<unknown> {
  const needed = [...joins].filter(([name, { isLink }]) => !isLink || links.has(name))
  return sql`${sql.join([fromTable(root), ...needed.map(([, { clause }]) => clause)], sql` `)}`
}

/** Follows a dotted path over many2one fields; the caller must be allowed to read every model and field on it. */
export function resolvePath(sources: Sources, path: string): PathTarget {
  return follow(sources, sources.root, path.split('.', LIMITS.domainDepth + 2))
}

function follow(sources: Sources, start: TableScope, names: readonly string[]): PathTarget {
  if (names.length > LIMITS.domainDepth)
    throw badRequest('limit_exceeded', `A path may have at most ${LIMITS.domainDepth} steps.`)
  const last = names.length - 1
  const scope = names.slice(0, last).reduce((at, name) => joinTarget(sources, locate(sources, at, name)), start)
  return locate(sources, scope, names[last]!)
}

function locate(sources: Sources, scope: TableScope, name: string): PathTarget {
  const { env, model } = scope
  const field = model.fields.get(name)
  if (field === undefined) {
    throw badRequest('field_unknown', `${model.name} has no field ${name.slice(0, 80)}.`, { field: name.slice(0, 80) })
  }
  decide(env, [{ model: model.name, field }])
  const end = isRelated(field) ? follow(sources, scope, field.related!) : { scope, field }
  // `end` has a `named` of its own, which this one replaces.
  return Object.assign({}, end, { named: scope })
}

/** Joins the record a many2one points at; a record the caller may not read counts as unset. */
function joinTarget({ joins }: Sources, { scope, field }: PathTarget): TableScope {
  const { relation, column } = field
  if (relation?.kind !== 'many2one' || column === null) {
    throw badRequest('field_unsuitable', `${field.model}.${field.name} is no many2one a path could follow.`)
  }
  const pointer = `${scope.alias}.${column}`
  const known = joins.get(pointer)
  if (known) return known.scope
  // With 200 measures on 200 different paths the planner would take minutes.
  if (joins.size >= LIMITS.groupJoins)
    throw badRequest('limit_exceeded', `A grouping may follow at most ${LIMITS.groupJoins} relations.`)
  const target = requireTarget(scope, relation.target, `j${joins.size}`)
  const match = target.pointedAtBy(columnOf(scope, column))
  joins.set(pointer, { scope: target.scope, clause: sql`left join ${fromTable(target.scope)} on ${match}` })
  return target.scope
}

/** Groups show which records belong together, so a grouping over a model the caller may not read is refused. */
function requireTarget(scope: TableScope, name: string, alias: string): LinkTarget {
  decide(scope.env, [{ model: name, field: null }])
  return stepTo(scope, name, alias)!
}

/** Rows of a many2many that are joined to the records. */
export interface JoinedLink {
  readonly name: string
  /** The id of the linked record. */
  readonly id: Sql<unknown>
}

/** Joins one row per readable record that a many2many links to, or one row with null if there is none. */
export function joinLinks({ joins }: Sources, { scope, field }: PathTarget): JoinedLink {
  const { relation } = field
  if (relation?.kind !== 'many2many') throw new Error(`${field.name} is no many2many`)
  // Each link multiplies the rows; three would keep the database busy for minutes.
  if ([...joins.values()].filter(({ isLink }) => isLink).length >= LIMITS.groupLinks) {
    throw badRequest(
      'limit_exceeded',
      `Records can be grouped by at most ${LIMITS.groupLinks} many2many fields at once.`,
    )
  }
  const link = `j${joins.size}`
  const { scope: to, readable: rule } = requireTarget(scope, relation.target, `${link}r`)
  const far = sql.ref(`${link}.${relation.right}`)
  const links = sql`${sql.table(relation.table)} as ${sql.table(link)}`
  const readable =
    rule === null
      ? links
      : sql`(${links} join ${fromTable(to)} on ${allOf([sql`${columnOf(to, 'id')} = ${far}`, rule])})`
  const near = sql`${sql.ref(`${link}.${relation.left}`)} = ${columnOf(scope, 'id')}`
  joins.set(link, { scope: to, clause: sql`left join ${readable} on ${near}`, isLink: true })
  return { name: link, id: far }
}
