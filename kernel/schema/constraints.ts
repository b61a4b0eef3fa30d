import type { SqlConstraint } from '../model/define.ts'
import type { Field } from '../model/fields/field.ts'
import type { Model, Registry } from '../model/registry.ts'
import { identifier } from '../sql/ddl.ts'
import { columnList, objectName } from './names.ts'
import type { ConstraintSpec } from './spec.ts'

/** `{field}` is replaced by the translated label of the field. */
export const TAKEN = 'Another record already has this {field}.'

/** In a definition: unset values are equal. */
export const NULL_EQUAL = 'NULLS NOT DISTINCT '

export function uniqueConstraint({ table }: Model, field: Field): ConstraintSpec {
  return {
    name: objectName(table, field.name, 'key'),
    kind: 'unique',
    columns: [field.column!],
    definition: `UNIQUE ${columnList([field.column!])}`,
    target: null,
    field: field.name,
    message: TAKEN,
  }
}

export function declaredConstraint({ table }: Model, name: string, constraint: SqlConstraint): ConstraintSpec {
  const shared = { target: null, message: constraint.message }
  if ('unique' in constraint) {
    const columns = constraint.unique
    const definition = `UNIQUE ${constraint.isNullEqual ? NULL_EQUAL : ''}${columnList(columns)}`
    const field = constraint.field ?? columns.at(-1) ?? null
    return { ...shared, name: objectName(table, name, 'key'), kind: 'unique', columns, definition, field }
  }
  const columns = constraint.fields ?? []
  const definition = `CHECK (${constraint.check})`
  return {
    ...shared,
    name: objectName(table, name, 'check'),
    kind: 'check',
    columns,
    definition,
    field: columns[0] ?? null,
  }
}

/**
 * The ORM deletes children before their parent, so a cascade in SQL is only a safeguard. `create_uid` and `write_uid` have no
 * foreign key: they are kept when the user is deleted, and every insert would need two more lookups.
 */
export function foreignKey(model: Model, field: Field, registry: Registry): ConstraintSpec[] {
  const { relation } = field
  if (field.system) return []
  const target = relation?.kind === 'many2one' ? registry.model(relation.target) : undefined
  if (relation?.kind !== 'many2one' || target === undefined) return []
  const rule = relation.ondelete === 'set null' ? ' ON DELETE SET NULL' : ''
  return [
    {
      name: objectName(model.table, field.name, 'fkey'),
      kind: 'foreign',
      columns: [field.column!],
      definition: `FOREIGN KEY ${columnList([field.column!])} REFERENCES ${identifier(target.table).text} ("id")${rule}`,
      target: target.table,
      field: field.name,
      message: `${model.label}: ${field.label} must refer to an existing record.`,
    },
  ]
}
