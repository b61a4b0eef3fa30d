import type { WireField } from '../../../../kernel/view/wire.ts'
import { fetchWorkspace } from '../net/workspace.ts'
import { services } from '../services.ts'

// Kept for the lifetime of the page: fields change only when a module is installed, and that reloads the page.
const known = new Map<string, Promise<readonly WireField[]>>()

/** The fields of a model that its list and its form show, by label. */
export function exportFields(model: string): Promise<readonly WireField[]> {
  const asked = known.get(model) ?? loadFields(model)
  known.set(model, asked)
  asked.catch(() => known.delete(model))
  return asked
}

async function loadFields(model: string): Promise<readonly WireField[]> {
  const { transport, session } = services()
  const fieldsOf = async (type: string) => {
    const query = String(new URLSearchParams({ model, view_type: type }))
    return (await fetchWorkspace(transport, session.bootstrap.wcApiBase, query)).arch.fields
  }
  const [listed, shown] = await Promise.all([
    fieldsOf('list'),
    // Loading the form of a new record fails for users who may not create one.
    fieldsOf('form').catch((): readonly WireField[] => []),
  ])
  const byName = new Map([...shown, ...listed].map((field) => [field.name, field]))
  return [...byName.values()].toSorted((a, b) => a.label.localeCompare(b.label))
}

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
