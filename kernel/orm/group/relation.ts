import { mayReadField, mayUseModel } from '../../access/acl.ts'
import { displayNameSql } from '../../domain/display-name.ts'
import { FIELD_TYPES } from '../../model/field-types.ts'
import type { Relation } from '../../model/fields/field.ts'
import { type Expression, sql } from '../../sql/sql.ts'
import { sortKeys } from '../statement/order.ts'
import { allOf, columnOf, compileRule, fromTable, modelOf, type Scope } from '../statement/scope.ts'
import { type AskedItem, type GroupItem, rowField, unsetGroup } from './item.ts'

/**
 * Groups by linked record: `[id, name]` in the order of the target's model. A record the caller may not read keeps its id, but
 * has no name and comes after the others.
 */
export function relationItem(
  asked: AskedItem,
  key: Expression<unknown>,
  condition: (id: unknown) => readonly unknown[],
): GroupItem {
  const { path, column, alias, place } = asked
  const { env } = place.scope
  const relation: Relation = { kind: 'many2one', target: place.field.relation!.target, ondelete: 'set null' }
  const model = modelOf(env, relation.target)
  const to: Scope = { env, model, alias }
  const isReadable = mayUseModel(env, model.name, 'read')
  const name = `${column}:name`
  const joinTarget = (groups: Scope) => {
    const match = allOf([sql`${columnOf(to, 'id')} = ${columnOf(groups, column)}`, compileRule(to, 'read')])
    return sql`left join ${fromTable(to)} on ${match}`
  }
  return {
    field: rowField(asked, { type: FIELD_TYPES.many2one, relation }),
    key,
    join: isReadable ? joinTarget : null,
    select: (groups) => [
      { alias: column, expression: columnOf(groups, column) },
      { alias: name, expression: isReadable ? displayNameSql(model, alias) : sql`null` },
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
