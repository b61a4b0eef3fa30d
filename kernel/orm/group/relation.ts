import { mayReadField } from '../../access/acl.ts'
import { displayNameSql } from '../../domain/display-name.ts'
import { FIELD_TYPES } from '../../model/field-types.ts'
import type { Relation } from '../../model/fields/field.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { sortKeys } from '../statement/order.ts'
import { columnOf, fromTable, modelOf, stepTo, type TableScope } from '../statement/scope.ts'
import { type Grouping, type ParsedItem, rowField, unsetGroup } from './item.ts'

/**
 * Groups by linked record: `[id, name]` in the order of the target's model. A record the caller may not read keeps its id, but
 * has no name and comes after the others.
 */
export function relationItem(
  parsed: ParsedItem,
  key: Sql<unknown>,
  condition: (id: unknown) => readonly unknown[],
): Grouping {
  const { path, column, alias, target } = parsed
  const { env } = target.scope
  const relation: Relation = { kind: 'many2one', target: target.field.relation!.target, ondelete: 'set null' }
  const model = modelOf(env, relation.target)
  const linked = stepTo(target.scope, relation.target, alias)
  const to: TableScope = { env, model, alias }
  const isReadable = linked !== null
  const name = `${column}:name`
  const joinTarget = (groups: TableScope) =>
    sql`left join ${fromTable(to)} on ${linked!.pointedAtBy(columnOf(groups, column))}`
  return {
    field: rowField(parsed, { type: FIELD_TYPES.many2one, relation }),
    key,
    link: null,
    join: isReadable ? joinTarget : null,
    select: (groups) => [
      { alias: column, expression: columnOf(groups, column) },
      { alias: name, expression: isReadable ? displayNameSql(model, alias, env) : sql`null` },
    ],
    answer(row) {
      const id = row[column] ?? null
      return id === null ? unsetGroup(path) : { value: [id, row[name] ?? null], domain: [condition(id)] }
    },
    sort(groups, descending) {
      const own = { expression: columnOf(groups, column), descending }
      if (!isReadable) return [own]
      const terms = model.order.filter((term) => mayReadField(env, model.fields.get(term.field)!))
      const keys = sortKeys(to, terms).map((each) => ({ ...each, descending: each.descending !== descending }))
      return [{ expression: sql`${columnOf(to, 'id')} is null`, descending }, ...keys, own]
    },
  }
}
