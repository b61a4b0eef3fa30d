import type { WireField } from '../../../../../../kernel/view/wire.ts'
import type { Chosen } from '../../../core/acts.ts'
import { formatInteger } from '../../../core/format.ts'
import { t, tn } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import { assignableDomain } from '../../../store/assignable.ts'
import { searchRead, writeRecords } from '../../../store/queries.ts'
import { attempt, showToast, undoAction } from '../../../ui/toasts.tsx'
import type { Assigned } from './assign.ts'
import { partsOf } from './parts-of.ts'
import { rememberValues } from './remember-values.ts'

const OFFERED = 12

/** Those who can get the records and whose name has the text; oneself first. */
export async function findAssignees(
  { model, ids }: Assigned,
  { name: field }: WireField,
  text: string,
  signal: AbortSignal,
): Promise<readonly Chosen[]> {
  const { rpc, session } = services()
  const domain = await assignableDomain({ model, field, ids: await ids(), changes: {}, kept: [] }, text !== '')
  const named = text === '' ? [] : [['display_name', 'ilike', text]]
  const options = { limit: OFFERED, signal }
  const own = session.bootstrap.user.id
  const [me, others] = await Promise.all([
    searchRead(rpc, 'core.user', [...domain, ['id', '=', own]], ['display_name'], options),
    searchRead(rpc, 'core.user', [...domain, ...named, ['id', '!=', own]], ['display_name'], options),
  ])
  return [...me, ...others].map((row) => [row.id, String(row['display_name'])])
}

export async function assign(
  { model, ids: chosen, done }: Assigned,
  field: WireField,
  [user, name]: Chosen,
): Promise<void> {
  const ids = await chosen()
  const { rpc } = services()
  const writeBack = await rememberValues(model, ids, [field.name])
  for (const part of partsOf(ids))
    await writeRecords(rpc, model, part, { [field.name]: field.type === 'many2many' ? [user] : user })
  await done()
  const undo = async () => {
    await writeBack()
    await done()
    showToast({ level: 'info', text: t('Undone') })
  }
  const n = formatInteger(ids.length)
  showToast({
    level: 'success',
    text:
      ids.length === 1
        ? t('Assigned to {name}', { name })
        : tn(ids.length, '{n} record assigned to {name}', '{n} records assigned to {name}', { n, name }),
    action: undoAction(() => void attempt(undo)),
  })
}
