import type { WireActed } from '../../../../../../kernel/view/wire.ts'
import { holds } from '../../../core/expression.ts'
import { formatInteger } from '../../../core/format.ts'
import { t, tn } from '../../../core/i18n.ts'
import type { Values } from '../../../store/records.ts'
import { attempt, showToast, undoAction } from '../../../ui/toasts.tsx'
import { actOnRecords, MAX_TRIED } from '../../shared/act/act-on-records.ts'
import { askPartly } from '../../shared/act/refusals.tsx'
import { rememberValues } from '../../shared/act/remember-values.ts'
import { scopeOf } from '../column/scope.ts'
import type { ListModel } from '../model/model.ts'
import { selectedIds } from '../select/bulk.ts'
import { askManyRows } from './edit-dialogs.tsx'
import type { RowEdit } from './row-edit.ts'
import type { RowSaver } from './save-row.ts'

/**
 * Applies the user's own changes of a row to all selected rows; the server computes the dependent values for each. Rows that refuse
 * them are listed first, with the reason, and left out. The changes can be undone.
 */
export async function saveMany(model: ListModel, row: RowEdit, send: RowSaver['send']): Promise<void> {
  const { arch } = model
  const sendable = row.toSend()
  const own = [...row.touched].filter((name) => name in sendable)
  if (own.length === 0) return
  const pick = (read: (name: string) => unknown): Values => Object.fromEntries(own.map((name) => [name, read(name)]))
  const values = pick((name) => sendable[name])
  const ids = await selectedIds(model)
  const tried = await tryWrite(model, ids, own, values)
  // If no row accepts the value it is wrong, and the edited row shows the error.
  const isPartly = tried.refused.length > 0 && tried.possible.length > 0
  const isSure = isPartly
    ? await askPartly(tried, { label: t('Change'), isDanger: false })
    : await askManyRows(arch, row, own, ids.length)
  if (!isSure) return
  const changed = isPartly ? tried.possible : ids
  const writeBack = await rememberValues(arch.model, changed, own)
  const isIn = row.id !== null && changed.includes(row.id)
  await send(values, pick(row.draft.get), changed, isIn ? { [row.id]: row.draft.baseVersion.peek() } : {})
  const undo = () => writeBack().then(() => model.refresh())
  showToast({
    level: 'success',
    text: changedText(changed.length, ids.length),
    action: undoAction(() => void attempt(undo)),
  })
}

function changedText(count: number, total: number): string {
  const n = formatInteger(count)
  return count === total
    ? tn(count, '{n} record changed', '{n} records changed', { n })
    : t('{n} of {total} changed; {left} left out', {
        n,
        total: formatInteger(total),
        left: formatInteger(total - count),
      })
}

/** Which of the rows accept the values: the server tries them; rows that the view shows as read-only are left out too. */
async function tryWrite(
  model: ListModel,
  ids: readonly number[],
  names: readonly string[],
  values: Values,
): Promise<WireActed> {
  const { arch } = model
  if (ids.length > MAX_TRIED) return { done: [], possible: ids, refused: [] }
  const { possible, refused } = await actOnRecords({ model: arch.model, ids, action: 'write', values, trial: true })
  const conditions = arch.columns.flatMap((column) =>
    column.kind === 'field' && names.includes(column.key) ? [column.node.attrs['readonly']] : [],
  )
  const locked = possible.flatMap((id) => {
    const shown = model.entryOf(id).values.base.peek()
    const scope = scopeOf(shown)
    if (![arch.lock, ...conditions].some((condition) => holds(condition, scope))) return []
    const name = String(shown['display_name'] ?? shown['name'] ?? id)
    return [{ id, name, reason: 'business_rule', message: t('It is locked.') }]
  })
  const left = new Set(locked.map(({ id }) => id))
  return { done: [], possible: possible.filter((id) => !left.has(id)), refused: [...refused, ...locked] }
}
