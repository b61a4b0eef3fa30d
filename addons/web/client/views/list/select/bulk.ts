import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import type { WireActed, WireDomain } from '../../../../../../kernel/view/wire.ts'
import { formatInteger } from '../../../core/format.ts'
import { t, tn } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import type { Group } from '../../../store/group.ts'
import { unlinkRecords, writeRecords } from '../../../store/queries.ts'
import { confirm } from '../../../ui/dialog.tsx'
import { showError, showToast, undoAction } from '../../../ui/toasts.tsx'
import { offerUndo } from '../../../ui/undo.ts'
import { type ActCall, MAX_TRIED, tellDone } from '../../shared/act-on-records.ts'
import { actOnSome, askBefore, deletable, feasible, isDangerous } from '../../shared/ask-before.tsx'
import { describeAll, statusesOf } from '../../shared/became.ts'
import { hideRecords } from '../model/list-ids.ts'
import type { ListModel } from '../model/model.ts'
import { actOnMany, actOnPart, isRefusal, tellLeftOut } from './act-on-many.tsx'
import {
  type Batches,
  batchesOf,
  findBatches,
  type Outcome,
  type Patiently,
  runInBatches,
  selectedBatches,
} from './batches.ts'

/** Ids of all selected records, including those not loaded. */
export const selectedIds = async ({ selection, arch, domain }: ListModel): Promise<readonly number[]> =>
  selection.isAll.peek() ? findIds(arch.model, domain.peek()) : [...selection.ids.peek()]

async function findIds(model: string, domain: WireDomain): Promise<readonly number[]> {
  const ids: number[] = []
  for await (const part of findBatches(model, domain)) ids.push(...part)
  return ids
}

/** Selects or deselects all records of a group, including those not loaded. */
export async function selectGroup({ selection, arch }: ListModel, { domain }: Group, isOn: boolean): Promise<void> {
  try {
    selection.set(await findIds(arch.model, domain), isOn)
  } catch (error) {
    showError(error)
  }
}

const unseen = ({ selection }: ListModel): string =>
  selection.isAll.peek() ? t('Everything that matches the search, also what is not on the screen.') : ''

/**
 * Deletes the selected records. A few are tried first, so that none is said to be deleted that cannot be; they are hidden and
 * deleted when the time to undo is over. Many are deleted after a confirmation.
 */
export async function deleteSelected(model: ListModel): Promise<void> {
  const batches = selectedBatches(model)
  const { count, figure } = batches
  if (!batches.isLarge) {
    const ids = await deletable(model.arch.model, [...model.selection.ids.peek()])
    if (ids.length > 0) deleteFew(model, ids)
    return
  }
  const isSure = await confirm({
    title: tn(count, 'Delete {n} record?', 'Delete {n} records?', { n: figure }),
    text: [unseen(model), t('Those that refuse it are left out and named at the end.'), t('This cannot be undone.')]
      .join(' ')
      .trim(),
    action: t('Delete'),
    isDanger: true,
  })
  if (!isSure) return
  const { rpc, records } = services()
  model.selection.clear()
  const refused: Refused[] = []
  const { ids, isWhole } = await runInBatches(model, batches, {
    say: (done, total) => t('{done} of {total} deleted', { done, total }),
    run: (part, patiently) =>
      leavingOut(refused, { model: model.arch.model, action: 'unlink', ids: part }, patiently, () =>
        unlinkRecords(rpc, model.arch.model, part),
      ),
  })
  records.markDeleted(model.arch.model, ids)
  const text = deletedText(ids.length, isWhole ? null : figure)
  if (refused.length > 0) await tellLeftOut(text, refused, null)
  else showToast({ level: isWhole ? 'success' : 'warning', text })
}

type Refused = WireActed['refused'][number]

/** Changes a part at once; where records refuse that, those that do not, and the others are noted. Answers what was changed. */
async function leavingOut(
  refused: Refused[],
  call: ActCall,
  patiently: Patiently,
  change: () => Promise<unknown>,
): Promise<readonly number[]> {
  try {
    await patiently(change)
    return call.ids
  } catch (error) {
    if (!isRefusal(error)) throw error
    const acted = await actOnPart(call, patiently)
    refused.push(...acted.flatMap((part) => part.refused))
    return acted.flatMap(({ done }) => done)
  }
}

/** `total` is null if all were deleted; otherwise the operation was stopped early. */
function deletedText(count: number, total: string | null): string {
  const n = formatInteger(count)
  return total === null
    ? tn(count, '{n} record deleted', '{n} records deleted', { n })
    : t('Stopped: {done} of {total} deleted', { done: n, total })
}

function deleteFew(model: ListModel, ids: readonly number[]): void {
  const { rpc, records } = services()
  const { arch, selection } = model
  const show = hideRecords(model.lists(), new Set(ids))
  selection.clear()
  const carryOut = async (isLeaving: boolean) => {
    try {
      await unlinkRecords(rpc, arch.model, ids, { keepalive: isLeaving })
      records.markDeleted(arch.model, ids)
      await model.refresh()
    } catch (error) {
      showError(error)
    } finally {
      show()
    }
  }
  offerUndo({ text: deletedText(ids.length, null), run: (isLeaving) => void carryOut(isLeaving), undo: show })
}

/** Archives or restores the selected records, with Undo; a few are tried first, as before a delete. */
export async function archiveSelected(model: ListModel, isActive: boolean): Promise<void> {
  const selected = selectedBatches(model)
  const { count, figure, isLarge } = selected
  const label = isActive ? t('Restore') : t('Archive')
  const isSure =
    !isLarge ||
    (await confirm({
      title: isActive
        ? tn(count, 'Restore {n} record?', 'Restore {n} records?', { n: figure })
        : tn(count, 'Archive {n} record?', 'Archive {n} records?', { n: figure }),
      text: unseen(model),
      action: label,
    }))
  if (!isSure) return
  const few = isLarge ? null : await findFeasible()
  if (few?.length === 0) return
  const batches = few ? batchesOf(few) : selected
  const show = few ? hideRecords(model.lists(), new Set(few)) : () => undefined
  model.selection.clear()
  const refused: Refused[] = []
  const { ids, isWhole } = await setActive(model, batches, isActive, refused)
  show()
  const text = archivedText(ids.length, isActive, isWhole ? null : figure)
  const undo = () => setActive(model, batchesOf(ids), !isActive, []).then(tellUndone)
  if (refused.length > 0) await tellLeftOut(text, refused, ids.length > 0 ? undo : null)
  else if (ids.length > 0)
    showToast({ level: isWhole ? 'success' : 'warning', text, action: undoAction(() => void undo()) })

  function findFeasible(): Promise<readonly number[]> {
    const ids = [...model.selection.ids.peek()]
    return feasible(isActive ? 'unarchive' : 'archive', model.arch.model, ids, { label, isDanger: false })
  }
}

function tellUndone({ isWhole }: Outcome): void {
  if (isWhole) showToast({ level: 'info', text: t('Undone') })
}

function setActive(model: ListModel, batches: Batches, active: boolean, refused: Refused[]): Promise<Outcome> {
  const call = { model: model.arch.model, action: active ? 'unarchive' : 'archive' }
  return runInBatches(model, batches, {
    say: (done, total) =>
      active ? t('{done} of {total} restored', { done, total }) : t('{done} of {total} archived', { done, total }),
    run: (part, patiently) =>
      leavingOut(refused, { ...call, ids: part }, patiently, () =>
        writeRecords(services().rpc, call.model, part, { active }),
      ),
  })
}

function archivedText(count: number, isActive: boolean, total: string | null): string {
  const n = formatInteger(count)
  if (total === null)
    return isActive
      ? tn(count, '{n} record restored', '{n} records restored', { n })
      : tn(count, '{n} record archived', '{n} records archived', { n })
  return isActive
    ? t('Stopped: {done} of {total} restored', { done: n, total })
    : t('Stopped: {done} of {total} archived', { done: n, total })
}

/** Whether the search shows archived records. */
export const showsArchived = ({ domain }: ListModel): boolean => domain.value.some(isArchivedLeaf)

const isArchivedLeaf = (leaf: unknown): boolean =>
  Array.isArray(leaf) && ((leaf[0] === 'active' && leaf[1] === '=' && leaf[2] === false) || leaf.some(isArchivedLeaf))

/** Runs a button of the header on the selected records, or a button of a row on that record. */
export async function runListButton(model: ListModel, node: ArchNode, id?: number): Promise<void> {
  const { router } = services()
  const { attrs } = node
  const { name = '', string: label = name } = attrs
  const isDanger = isDangerous(attrs)
  try {
    const tooMany = (error: unknown) => {
      // Those that refuse are found within a time; where that is not enough, fewer are tried at once.
      if (isRefusal(error) && ids.length > 1) return undefined
      throw error
    }
    const ids = id === undefined ? await selectedIds(model) : [id]
    const vals = await askBefore(attrs, ids.length)
    if (vals === null) return
    if (attrs['type'] === 'action') {
      await router.go(`/web?action=${name}`)
      return
    }
    if (ids.length === 0) return
    const call = { model: model.arch.model, action: name, vals }
    const before = statusesOf(call.model, ids.slice(0, MAX_TRIED))
    const acted =
      ids.length > MAX_TRIED ? undefined : await actOnSome({ ...call, ids }, { label, isDanger }).catch(tooMany)
    if (acted === null) return
    if (acted === undefined) {
      const isAsked = (attrs['ask'] ?? attrs['confirm']) !== undefined
      await actOnMany(model, { ...call, ids }, { label, isDanger, isAsked })
      return
    }
    if (acted.redirect !== undefined) {
      await router.go(acted.redirect)
      return
    }
    await model.refresh()
    tellDone(await describeAll(call.model, acted.done, label, before), call.model, acted, () => model.refresh())
  } catch (error) {
    showError(error, () => void runListButton(model, node, id))
  }
}
