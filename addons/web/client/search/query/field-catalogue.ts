import type { WireField } from '../../../../../kernel/view/wire.ts'
import { fetchWorkspace } from '../../net/workspace.ts'
import { services } from '../../services.ts'

// As long as the page lives: fields change only with an install, which loads the page again.
const known = new Map<string, Promise<readonly WireField[]>>()

/** Fields of a model a person may search by: those its list and its form show them. */
export function searchableFields(model: string): Promise<readonly WireField[]> {
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
    // The form of a new record is for those who may create one.
    fieldsOf('form').catch((): readonly WireField[] => []),
  ])
  const byName = new Map([...shown, ...listed].map((field) => [field.name, field]))
  return [...byName.values()].filter(isSearchable).sort((a, b) => a.label.localeCompare(b.label))
}

export const isSearchable = ({ searchable, type }: WireField): boolean =>
  searchable === true && type !== 'binary' && type !== 'json' && type !== 'image'
