import type { ValueForm } from '../../sql/json-rows.ts'
import type { Field } from './field.ts'

type Row = Readonly<Record<string, unknown>>

/** The column with the name of the record that a many2one links to. */
export const nameAlias = (name: string): string => `${name}:name`

/** `JsonRows` of the driver writes the JSON of these columns in the same forms. */
const FORMS: Readonly<Record<ValueForm, (row: Row, name: string) => unknown>> = {
  value: (row, name) => row[name] ?? null,
  flag: (row, name) => row[name] === true,
  list: (row, name) => row[name] ?? [],
  pair: (row, name) => {
    const id = row[name] ?? null
    return id === null ? null : [id, row[nameAlias(name)] ?? null]
  },
}

/** The value on the wire, of a row that was selected for the field. */
export const wireValue = (row: Row, { name, type }: Field): unknown => FORMS[type.form](row, name)
