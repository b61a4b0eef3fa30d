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
  const load = (view: string) =>
    fetchWorkspace(transport, session.bootstrap.wcApiBase, `model=${model}&view_type=${view}`)
  const list = await load('list')
  const [first] = list.records
  // The form of an existing record, since that of a new one is refused to users who may not create records.
  const form = await load(first ? `form&id=${first.id}` : 'form').catch(() => null)
  const fields = [form, list].flatMap((view) => view?.arch.fields ?? [])
  return [...new Map(fields.map((field) => [field.name, field])).values()].sort((a, b) =>
    a.label.localeCompare(b.label),
  )
}

export const isSearchable = ({ searchable, type }: WireField): boolean =>
  searchable === true && type !== 'binary' && type !== 'json' && type !== 'image'
