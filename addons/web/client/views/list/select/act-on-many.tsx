import type { WireActed } from '../../../../../../kernel/view/wire.ts'
import { formatInteger } from '../../../core/format.ts'
import { t } from '../../../core/i18n.ts'
import { CallError, type ClientErrorCode } from '../../../net/errors.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm, Dialog, openDialog } from '../../../ui/dialog.tsx'
import { attempt, showToast, undoAction } from '../../../ui/toasts.tsx'
import { type ActCall, actOnRecords, takeBack } from '../../shared/act/act-on-records.ts'
import { describeDone, nameOfAll } from '../../shared/act/describe-done.ts'
import { RefusalList, type RefusalOptions } from '../../shared/act/refusals.tsx'
import type { ListModel } from '../model/model.ts'
import { type Batches, batchesOf, type Patiently, runInBatches } from './batches.ts'

/** Records of one call: the server finds out within its time which of them refuse. */
const PART_SIZE = 50

interface ManyOptions extends RefusalOptions {
  /** Whether the user was asked already. */
  readonly isAsked: boolean
}

/**
 * Runs an action on more records than the server tries at once, part by part. Records that refuse are left out and listed at the end with
 * the number done; one Undo undoes all parts if each can be undone.
 */
export async function actOnMany(
  model: ListModel,
  call: ActCall,
  { label, isDanger, isAsked }: ManyOptions,
): Promise<void> {
  const isSure =
    isAsked ||
    (await confirm({
      title: t('Run “{action}” on {records}?', { action: label, records: nameOfAll(call.model, call.ids) }),
      text: t('Those that refuse it are left out and named at the end.'),
      action: label,
      isDanger,
    }))
  if (isSure) await actInParts(model, call, batchesOf(call.ids, PART_SIZE), label)
}

async function actInParts(model: ListModel, call: ActCall, batches: Batches, label: string): Promise<void> {
  const { count, figure: total } = batches
  const parts: WireActed[] = []
  const { ids, isWhole } = await runInBatches(model, batches, {
    say: (done) => t('“{action}”: {done} of {total} done', { action: label, done, total }),
    async run(part, patiently) {
      const acted = await actOnPart({ ...call, ids: part }, patiently)
      parts.push(...acted)
      return acted.flatMap(({ done }) => done)
    },
    again: (rest) => actInParts(model, call, rest, label),
  })
  const refused = parts.flatMap((part) => part.refused)
  const params = { action: label, done: formatInteger(ids.length), total }
  const undo = undoOf(model, call.model, parts)
  const text = isWhole
    ? ids.length === count
      ? describeDone(nameOfAll(call.model, ids), label, '', '')
      : t('“{action}” is done for {done} of {total} records', params)
    : t('Stopped: “{action}” is done for {done} of {total} records', params)
  if (refused.length > 0) await tellLeftOut(text, refused, undo)
  else if (ids.length > 0)
    showToast({ level: isWhole ? 'success' : 'warning', text, ...(undo && { action: undoAction(() => void undo()) }) })
}

/** Error codes by which records refuse an action, unlike a failure of the service. */
const REFUSALS: ReadonlySet<ClientErrorCode> = new Set(['VALIDATION', 'CONFLICT', 'ACCESS_DENIED', 'NOT_FOUND'])

/** Whether records refused a call, without saying which. */
export const isRefusal = (error: unknown): boolean => error instanceof CallError && REFUSALS.has(error.code)

/** Acts on the records of a part that do not refuse. If the server does not find out which ones refuse, each half is tried separately. */
export async function actOnPart(call: ActCall, patiently: Patiently): Promise<readonly WireActed[]> {
  try {
    const acted = await patiently(() => actOnRecords(call))
    if (acted.refused.length === 0 || acted.possible.length === 0) return [acted]
    const { refused } = acted
    return [{ done: [], possible: [], refused }, ...(await actOnPart({ ...call, ids: acted.possible }, patiently))]
  } catch (error) {
    const { ids } = call
    if (!isRefusal(error) || ids.length === 1) throw error
    const middle = Math.ceil(ids.length / 2)
    return [
      ...(await actOnPart({ ...call, ids: ids.slice(0, middle) }, patiently)),
      ...(await actOnPart({ ...call, ids: ids.slice(middle) }, patiently)),
    ]
  }
}

/** Undoes all parts, the last one first; null if one of them cannot be undone. */
function undoOf(list: ListModel, model: string, parts: readonly WireActed[]): (() => Promise<void>) | null {
  const done = parts.filter((part) => part.done.length > 0)
  if (done.length === 0 || done.some(({ undo }) => undo === undefined)) return null
  const undo = async () => {
    try {
      for (let part = done.at(-1); part; part = done.at(-1)) {
        await takeBack(model, part, { isPatient: true })
        done.pop()
      }
      showToast({ level: 'info', text: t('Undone') })
    } finally {
      await list.refresh()
    }
  }
  return async () => void (await attempt(undo))
}

/** Shows what was done, and which records refused and why. */
export async function tellLeftOut(
  done: string,
  refused: WireActed['refused'],
  undo: (() => Promise<void>) | null,
): Promise<void> {
  const isWrong = await openDialog<boolean>((close) => (
    <Dialog
      title={t('{done}; {left} left out', { done, left: formatInteger(refused.length) })}
      class="refusals"
      onClose={() => close(false)}
      footer={
        <>
          {undo && <Button label={t('Undo')} onClick={() => close(true)} />}
          <Button label={t('Close')} kind="primary" onClick={() => close(false)} />
        </>
      }
    >
      <RefusalList refused={refused} />
    </Dialog>
  ))
  if (isWrong) await undo?.()
}
