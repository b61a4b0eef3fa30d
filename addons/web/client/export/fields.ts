import type { WireField } from '../../../../kernel/view/wire.ts'

/** A column of an export: a path of fields, and the labels along it. */
export interface ExportPath {
  readonly path: string
  readonly label: string
  readonly type: WireField['type']
}

export const pathOf = (field: WireField, parent: ExportPath | null): ExportPath => ({
  path: parent === null ? field.name : `${parent.path}/${field.name}`,
  label: parent === null ? field.label : `${parent.label} / ${field.label}`,
  type: field.type,
})

const NUMERIC: ReadonlySet<string> = new Set(['integer', 'float', 'monetary'])

export const isNumeric = ({ type }: ExportPath): boolean => NUMERIC.has(type)
