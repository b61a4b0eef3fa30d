import type { Field } from '../../model/fields/field.ts'
import type { Model, Registry } from '../../model/registry.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'

/** One relational step of a path: a field whose links are in the database. */
interface Step {
  readonly model: Model
  readonly field: Field
}

/** Returns the condition that an id column matches. */
type Matcher = (id: Sql<unknown>) => Sql<SqlBool>

/** The ids of records of `model` from which `path` leads to one of `ids`: one query that follows the path backwards. */
export function reachingIds(
  registry: Registry,
  model: Model,
  path: readonly string[],
  ids: readonly number[],
): Sql<unknown> {
  const steps = relationalSteps(registry, model, path)
  const start: Matcher = (id) => sql<SqlBool>`${id} = any(${ids}::int[])`
  let query: Sql<unknown> | undefined
  for (const step of steps.toReversed()) {
    const inner = query
    query = stepBack(registry, step, inner === undefined ? start : (id) => sql<SqlBool>`${id} in (${inner})`)
  }
  return query!
}

/** Ids of the records from which one step leads to a matching record; ids may repeat, and may be null. */
function stepBack(registry: Registry, { model, field }: Step, matches: Matcher): Sql<unknown> {
  const relation = field.relation!
  switch (relation.kind) {
    case 'many2one':
      return sql`select id from ${sql.table(model.table)} where ${matches(sql.ref(field.column!))}`
    case 'one2many': {
      const { table } = registry.model(relation.target)!
      return sql`select ${sql.ref(relation.inverse)} from ${sql.table(table)} where ${matches(sql.ref('id'))}`
    }
    case 'many2many':
      return sql`select ${sql.ref(relation.left)} from ${sql.table(relation.table)} where ${matches(sql.ref(relation.right))}`
  }
}

/** The steps of a path, with a related field that has no column replaced by the path it stands for. */
function relationalSteps(registry: Registry, start: Model, path: readonly string[]): readonly Step[] {
  const steps: Step[] = []
  let model = start
  for (const name of path) {
    const field = model.fields.get(name)!
    if (field.related !== null && field.column === null) steps.push(...relationalSteps(registry, model, field.related))
    else if (field.compute !== null && !field.compute.stored) {
      throw new Error(`${start.name} cannot be found over ${path.join('.')}: ${name} is computed on read`)
    } else steps.push({ model, field })
    model = registry.model(field.relation!.target)!
  }
  return steps
}
