import { t } from '../../core/i18n.ts'
import { choiceLabel, linkOf } from '../../fields/value/values.ts'
import { services } from '../../services.ts'

/** Names of fields that tell how far a record is, the first that a view has counts. */
const STATUS = ['state', 'stage_id']

/** The status of a record as the view on screen calls it; empty if the view has none. */
export function statusOf(model: string, id: number): string {
  const { currentView, records } = services()
  const shown = currentView.shown.peek()
  if (shown?.kind !== 'view' || shown.workspace.model !== model) return ''
  const { fields } = shown.workspace.arch
  const field = STATUS.map((name) => fields.find((each) => each.name === name)).find((each) => each !== undefined)
  if (field === undefined) return ''
  const value = records.get(model, id).values.base.peek()[field.name]
  return field.type === 'selection' ? choiceLabel(field, value) : (linkOf(value)?.name ?? '')
}

/** What has become of a record by an action: another status, or just that it was done. */
export function describeDone(name: string, action: string, before: string, after: string): string {
  if (after === '' || before === after) return t('{name}: “{action}” is done', { name, action })
  return before === '' ? `${name}: ${after}` : `${name}: ${before} → ${after}`
}
