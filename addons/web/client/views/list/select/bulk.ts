import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import type { WireActed, WireDomain } from '../../../../../../kernel/view/wire.ts'
import { formatInteger } from '../../../core/format.ts'
import { t, tn } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import type { Group } from '../../../store/group.ts'
import { unlinkRecords, writeRecords } from '../../../store/queries.ts'
import { confirm } from '../../../ui/dialog.tsx'
import { attempt, showError, showToast, undoAction } from '../../../ui/toasts.tsx'
import { offerUndo } from '../../../ui/undo.ts'
import { type ActCall, MAX_TRIED, tellDone } from '../../shared/act/act-on-records.ts'
import { actOnSome, askBefore, deletable, feasible, isDangerous } from '../../shared/act/ask-before.tsx'
import { describeAll, statusesOf } from '../../shared/act/describe-done.ts'
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
  type Work,
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
  await attempt(async () => selection.set(await findIds(arch.model, domain), isOn))
}

const unseen = ({ selection }: ListModel): string =>
  selection.isAll.peek() ? t('Everything that matches the search, also what is not on the screen.') : ''

/**
 * Deletes the selected records. If they are few, the server tries first whether they can be deleted; they are then hidden, and deleted
 * when the time to undo is over. Many are deleted after a confirmation.
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
  if (isSure) await deleteMany(model, batches)
}

async function deleteMany(model: ListModel, batches: Batches): Promise<void> {
  const { rpc, records } = services()
  model.selection.clear()
  const refused: Refused[] = []
  const { ids, isWhole } = await runInBatches(model, batches, {
    say: (done, total) => t('{done} of {total} deleted', { done, total }),
    run: (part, patiently) =>
      leavingOut(refused, { model: model.arch.model, action: 'unlink', ids: part }, patiently, () =>
        unlinkRecords(rpc, model.arch.model, part),
      ),
    again: (rest) => deleteMany(model, rest),
  })
  records.markDeleted(model.arch.model, ids)
  const text = deletedText(ids.length, isWhole ? null : batches.figure)
  if (refused.length > 0) await tellLeftOut(text, refused, null)
  else showToast({ level: isWhole ? 'success' : 'warning', text })
}

type Refused = WireActed['refused'][number]

/** Changes a part at once; if records refuse, changes the other ones and adds those to `refused`. Resolves to the ids that were changed. */
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
  const show = hideRecords(model.lists(), new Set(ids))
  model.selection.clear()
  offerUndo({
    text: deletedText(ids.length, null),
    run: (isLeaving) => void deleteHidden(model, ids, show, isLeaving),
    undo: show,
  })
}

async function deleteHidden(
  model: ListModel,
  ids: readonly number[],
  show: () => void,
  isLeaving = false,
): Promise<void> {
  const { rpc, records } = services()
  const { arch } = model
  try {
    await unlinkRecords(rpc, arch.model, ids, { keepalive: isLeaving })
    records.markDeleted(arch.model, ids)
    await model.refresh()
  } catch (error) {
    showError(error, () => void deleteHidden(model, ids, hideRecords(model.lists(), new Set(ids))))
  } finally {
    show()
  }
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
  model.selection.clear()
  await archive(model, few ? batchesOf(few) : selected, isActive)

  function findFeasible(): Promise<readonly number[]> {
    const ids = [...model.selection.ids.peek()]
    return feasible(isActive ? 'unarchive' : 'archive', model.arch.model, ids, { label, isDanger: false })
  }
}

async function archive(model: ListModel, batches: Batches, isActive: boolean): Promise<void> {
  const show =
    batches.isLarge || batches.ids === null ? () => undefined : hideRecords(model.lists(), new Set(batches.ids))
  const refused: Refused[] = []
  const { ids, isWhole } = await setActive(model, batches, isActive, refused, (rest) => archive(model, rest, isActive))
  show()
  const text = archivedText(ids.length, isActive, isWhole ? null : batches.figure)
  const undo = () => bringBack(model, batchesOf(ids), !isActive)
  if (refused.length > 0) await tellLeftOut(text, refused, ids.length > 0 ? undo : null)
  else if (ids.length > 0)
    showToast({ level: isWhole ? 'success' : 'warning', text, action: undoAction(() => void undo()) })
}

/** Undoes archiving or restoring. */
async function bringBack(model: ListModel, batches: Batches, active: boolean): Promise<void> {
  const { isWhole } = await setActive(model, batches, active, [], (rest) => bringBack(model, rest, active))
  if (isWhole) showToast({ level: 'info', text: t('Undone') })
}

function setActive(
  model: ListModel,
  batches: Batches,
  active: boolean,
  refused: Refused[],
  again: Work['again'],
): Promise<Outcome> {
  const call = { model: model.arch.model, action: active ? 'unarchive' : 'archive' }
  return runInBatches(model, batches, {
    say: (done, total) =>
      active ? t('{done} of {total} restored', { done, total }) : t('{done} of {total} archived', { done, total }),
    run: (part, patiently) =>
      leavingOut(refused, { ...call, ids: part }, patiently, () =>
        writeRecords(services().rpc, call.model, part, { active }),
      ),
    again,
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
export async function runListButton(model: ListModel, { attrs }: ArchNode, id?: number): Promise<void> {
  let call: ActCall | null = null
  await attempt(async () => {
    // A retry is for the same records, with the same answers of the user.
    call ??= await askForCall(model, attrs, id)
    if (call !== null) await press(model, attrs, call)
  })
}

/** The call for the records; null if there is nothing to do or a page is opened instead. */
async function askForCall(model: ListModel, attrs: ArchNode['attrs'], id?: number): Promise<ActCall | null> {
  const { name: action = '' } = attrs
  const ids = id === undefined ? await selectedIds(model) : [id]
  const vals = await askBefore(attrs, ids.length)
  if (vals === null) return null
  if (attrs['type'] !== 'action') return ids.length === 0 ? null : { model: model.arch.model, action, ids, vals }
  await services().router.go(`/web?action=${action}`)
  return null
}

async function press(model: ListModel, attrs: ArchNode['attrs'], call: ActCall): Promise<void> {
  const { ids } = call
  const { string: label = call.action } = attrs
  const isDanger = isDangerous(attrs)
  const tooMany = (error: unknown) => {
    // The server finds the refusing records within a time limit; if it does not, fewer are tried at once.
    if (isRefusal(error) && ids.length > 1) return undefined
    throw error
  }
  const before = statusesOf(call.model, ids.slice(0, MAX_TRIED))
  const acted = ids.length > MAX_TRIED ? undefined : await actOnSome(call, { label, isDanger }).catch(tooMany)
  if (acted === null) return
  if (acted === undefined) {
    const isAsked = (attrs['ask'] ?? attrs['confirm']) !== undefined
    return await actOnMany(model, call, { label, isDanger, isAsked })
  }
  if (acted.redirect !== undefined) return void (await services().router.go(acted.redirect))
  await model.refresh()
  tellDone(await describeAll(call.model, acted.done, label, before), call.model, acted, () => model.refresh())
}
