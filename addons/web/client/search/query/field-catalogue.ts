import type { WireField } from '../../../../../kernel/view/wire.ts'
import { fetchWorkspace } from '../../net/workspace.ts'
import { services } from '../../services.ts'

// Cached for the lifetime of the page: fields change only when a module is installed, and that reloads the page.
const known = new Map<string, Promise<readonly WireField[]>>()

/** The fields of a model a user can search by. */
export const searchableFields = async (model: string): Promise<readonly WireField[]> =>
  (await viewFields(model)).filter(isSearchable)

/** The fields of a model that its list and its form show, by label. */
export function viewFields(model: string): Promise<readonly WireField[]> {
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

export const isSearchable = ({ searchable, type }: WireField): boolean =>
  searchable === true && type !== 'binary' && type !== 'json' && type !== 'image'
