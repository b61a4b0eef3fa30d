import type { WireField } from '../../../../../kernel/view/wire.ts'
import type { Chosen } from '../../core/acts.ts'
import { formatInteger } from '../../core/format.ts'
import { t, tn } from '../../core/i18n.ts'
import { services } from '../../services.ts'
import { assignableDomain } from '../../store/assignable.ts'
import { searchRead, writeRecords } from '../../store/queries.ts'
import { showError, showToast, undoAction } from '../../ui/toasts.tsx'
import type { Assigned } from './assign.ts'

/** Ids that one call takes; see `LIMITS.ids` of the server. */
const BATCH_SIZE = 500

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
  const before = new Map<string, number[]>()
  for (const part of partsOf(ids)) {
    for (const row of await rpc.read(model, part, [field.name])) {
      const key = JSON.stringify(idOf(row[field.name]))
      before.set(key, [...(before.get(key) ?? []), row.id])
    }
    await writeRecords(rpc, model, part, { [field.name]: field.type === 'many2many' ? [user] : user })
  }
  await done()
  const undo = async () => {
    for (const [key, these] of before)
      for (const part of partsOf(these)) await writeRecords(rpc, model, part, { [field.name]: JSON.parse(key) })
    await done()
  }
  const n = formatInteger(ids.length)
  showToast({
    level: 'success',
    text:
      ids.length === 1
        ? t('Assigned to {name}', { name })
        : tn(ids.length, '{n} record assigned to {name}', '{n} records assigned to {name}', { n, name }),
    action: undoAction(() => void undo().catch(showError)),
  })
}

/** The value as it is written: a link comes as a pair. */
const idOf = (value: unknown): unknown => (Array.isArray(value) && typeof value[1] === 'string' ? value[0] : value)

const partsOf = (ids: readonly number[]): readonly (readonly number[])[] =>
  Array.from({ length: Math.ceil(ids.length / BATCH_SIZE) }, (_, at) =>
    ids.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE),
  )
