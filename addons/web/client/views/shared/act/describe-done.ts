import type { WireField, WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import { t } from '../../../core/i18n.ts'
import { recordsText } from '../../../core/records-text.ts'
import { choiceLabel, linkOf } from '../../../fields/value/values.ts'
import { services } from '../../../services.ts'
import { searchRead } from '../../../store/queries.ts'

/** Fields that hold the status of a record; the first one that a view has is used. */
const STATUS = ['state', 'stage_id']

/** The view on screen, if it shows records of a model. */
function workspaceOf(model: string): WireWorkspace | null {
  const shown = services().currentView.shown.peek()
  return shown?.kind === 'view' && shown.workspace.model === model ? shown.workspace : null
}

function statusField(model: string): WireField | undefined {
  const fields = workspaceOf(model)?.arch.fields ?? []
  return STATUS.map((name) => fields.find((each) => each.name === name)).find((each) => each !== undefined)
}

/** The status of a record as the view on screen calls it; empty if the view has none. */
export function statusOf(model: string, id: number): string {
  const field = statusField(model)
  if (field === undefined) return ''
  const value = services().records.get(model, id).values.base.peek()[field.name]
  return field.type === 'selection' ? choiceLabel(field, value) : (linkOf(value)?.name ?? '')
}

/** Statuses of records by their ids. */
export const statusesOf = (model: string, ids: readonly number[]): ReadonlyMap<number, string> =>
  new Map(ids.map((id) => [id, statusOf(model, id)]))

/** Reads names and statuses of records again, also of those that have left the view. What cannot be read now is not told. */
async function readAgain(model: string, ids: readonly number[]): Promise<void> {
  const { rpc, records } = services()
  const status = statusField(model)
  const fields = ['display_name', ...(status ? [status.name] : [])]
  records.put(model, await searchRead(rpc, model, [['id', 'in', ids]], fields, { archived: 'include' }).catch(() => []))
}

/** The text that is the same for all; empty where they differ. */
const common = ([first = '', ...others]: readonly string[]): string =>
  others.every((text) => text === first) ? first : ''

/** What has become of several records by an action, from the statuses they had before. */
export async function describeAll(
  model: string,
  ids: readonly number[],
  action: string,
  before: ReadonlyMap<number, string>,
): Promise<string> {
  await readAgain(model, ids)
  const [from, to] = [ids.map((id) => before.get(id) ?? ''), ids.map((id) => statusOf(model, id))]
  return describeDone(nameOfAll(model, ids), action, common(from), common(to))
}

/** Records by their number and by what the view on screen calls them; a single one by its name. */
export function nameOfAll(model: string, ids: readonly number[]): string {
  const [id = 0] = ids
  const only = ids.length === 1 && services().records.get(model, id).values.base.peek()['display_name']
  if (typeof only === 'string') return only
  return recordsText(ids.length, workspaceOf(model)?.recordNames)
}

/** What has become of a record, or of many, by an action: another status, or just that it was done. */
export function describeDone(name: string, action: string, before: string, after: string): string {
  if (after === '' || before === after) return t('{name}: “{action}” is done', { name, action })
  return before === '' ? `${name}: ${after}` : `${name}: ${before} → ${after}`
}
