import type { Field, Relation } from '../model/fields/field.ts'
import type { Model, Registry } from '../model/registry.ts'
import { identifier } from '../sql/ddl.ts'
import { columnList, objectName } from './names.ts'
import { byName, type ColumnSpec, type ConstraintSpec, type TableSpec } from './spec.ts'

type Link = Extract<Relation, { kind: 'many2many' }>

/** The table of a many2many: one row per pair, deleted with either record. */
export function linkTable(model: Model, { name, label }: Field, link: Link, registry: Registry): TableSpec {
  const side = (column: string, target: string | undefined): ConstraintSpec[] =>
    target === undefined
      ? []
      : [
          {
            name: objectName(link.table, column, 'fkey'),
            kind: 'foreign',
            columns: [column],
            definition: `FOREIGN KEY ${columnList([column])} REFERENCES ${identifier(target).text} ("id") ON DELETE CASCADE`,
            target,
            field: name,
            message: `${model.label}: ${label} must refer to existing records.`,
          },
        ]
  const column = (columnName: string): ColumnSpec => ({
    name: columnName,
    type: 'integer',
    notNull: true,
    default: null,
    identity: false,
    field: null,
  })
  return {
    name: link.table,
    owner: `link ${model.name}.${name}`,
    columns: byName([column(link.left), column(link.right)]),
    primaryKey: [link.left, link.right],
    constraints: byName([...side(link.left, model.table), ...side(link.right, registry.model(link.target)?.table)]),
    indexes: byName([{ name: objectName(link.table, link.right, 'idx'), definition: columnList([link.right]) }]),
  }
}
