import { useId, useRef } from 'preact/hooks'
import type { WireActed } from '../../../../../../kernel/view/wire.ts'
import { formatInteger } from '../../../core/format.ts'
import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm, Dialog, openDialog } from '../../../ui/dialog.tsx'
import { showError, showToast } from '../../../ui/toasts.tsx'
import { type ActCall, actOnRecords, tellDone } from './act-on-records.ts'
import { describeDone, statusOf } from './describe-done.ts'
import { askPartly, type RefusalOptions, tellRefused } from './refusals.tsx'

type Attrs = Readonly<Partial<Record<string, string>>>

/** Whether a button takes something away: it is red, and so is its question. */
export const isDangerous = (attrs: Attrs): boolean => (attrs['class'] ?? '').split(' ').includes('danger')

/**
 * Asks what a button wants to know first, with the number of records where the question has `{n}`. The values for its action,
 * or null if the user goes back.
 */
export async function askBefore(attrs: Attrs, count = 1): Promise<Readonly<Record<string, string>> | null> {
  const { string: label = attrs['name'] ?? '', confirm: question, ask, ask_field: field } = attrs
  const isDanger = isDangerous(attrs)
  if (ask !== undefined && field !== undefined) {
    const answer = await openDialog<string | null>((close) => (
      <Question label={label} ask={ask} isDanger={isDanger} onClose={close} />
    ))
    return answer === null ? null : { [field]: answer }
  }
  if (question === undefined) return {}
  const title = question.replace('{n}', formatInteger(count))
  return (await confirm({ title, action: label, cancel: t('Go back'), isDanger })) ? {} : null
}

interface QuestionProps {
  readonly label: string
  readonly ask: string
  readonly isDanger: boolean
  readonly onClose: (answer: string | null) => void
}

function Question({ label, ask, isDanger, onClose }: QuestionProps) {
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  return (
    <Dialog
      title={label}
      onClose={() => onClose(null)}
      footer={
        <>
          <Button label={t('Go back')} onClick={() => onClose(null)} />
          <Button label={label} kind={isDanger ? 'danger' : 'primary'} type="submit" form={`${id}-form`} />
        </>
      }
    >
      <form
        id={`${id}-form`}
        class="field"
        onSubmit={(event) => {
          event.preventDefault()
          onClose(input.current?.value.trim() ?? '')
        }}
      >
        <label class="label" for={id}>
          {ask}
        </label>
        <input class="input" id={id} ref={input} maxLength={300} autofocus />
      </form>
    </Dialog>
  )
}

/** Runs an action; where some records refuse it, the user is told why and may go on with the others. Null: nothing was done. */
export async function actOnSome(call: ActCall, options: RefusalOptions): Promise<WireActed | null> {
  const acted = await actOnRecords(call)
  if (acted.refused.length === 0) return acted
  if (!(await askPartly(acted, options))) return null
  return actOnRecords({ ...call, ids: acted.possible })
}

/**
 * Runs the action of a button on one record. Returns what tells the user about it once the record is read again: that it is done,
 * with Undo where there is one, or why it is refused. Null if the action led to another page.
 */
export async function actOnOne(
  model: string,
  id: number,
  attrs: Attrs,
  vals: Readonly<Record<string, string>>,
): Promise<((refresh: () => Promise<unknown>) => void) | null> {
  const { name: action = '', string: label = action } = attrs
  const before = statusOf(model, id)
  const acted = await actOnRecords({ model, ids: [id], action, vals })
  const { router, records } = services()
  if (acted.redirect !== undefined) {
    await router.go(acted.redirect, { force: true })
    if (acted.notice !== undefined) showToast({ level: 'info', text: acted.notice })
    return null
  }
  return (refresh) => {
    if (acted.refused.length > 0) return tellRefused(acted)
    const name = String(records.get(model, id).values.base.peek()['display_name'] ?? id)
    tellDone(describeDone(name, label, before, statusOf(model, id)), model, acted, refresh)
  }
}

/** Goes to the menu beside the buttons of a form if the pressed one is no longer offered; there a second press does nothing. */
export const focusActions = (): unknown =>
  requestAnimationFrame(() => {
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('.actbar [aria-haspopup=menu]')?.focus()
  })

/** Runs a button of one record outside its form: asks first, acts, shows the record as it is then and tells about it. */
export async function pressOnRecord(
  model: string,
  id: number,
  attrs: Attrs,
  refresh: () => Promise<unknown>,
): Promise<void> {
  try {
    const vals = await askBefore(attrs)
    if (vals === null) return
    if (attrs['type'] === 'action') return void (await services().router.go(`/web?action=${attrs['name']}`))
    const tell = await actOnOne(model, id, attrs, vals)
    if (tell === null) return
    await refresh()
    tell(refresh)
  } catch (error) {
    showError(error, () => void pressOnRecord(model, id, attrs, refresh))
  }
}

/**
 * Those of the records with which something can be done, after the user has heard with which it cannot. Where it is not known now, it
 * answers once somebody tries again.
 */
export async function feasible(
  action: 'unlink' | 'archive' | 'unarchive',
  model: string,
  ids: readonly number[],
  options: RefusalOptions,
): Promise<readonly number[]> {
  try {
    const tried = await actOnRecords({ model, ids, action, trial: true })
    if (tried.refused.length === 0) return ids
    return (await askPartly(tried, options)) ? tried.possible : []
  } catch (error) {
    return await new Promise((resolve) => showError(error, () => resolve(feasible(action, model, ids, options))))
  }
}

/** Those of the records that can be deleted. */
export const deletable = (model: string, ids: readonly number[]): Promise<readonly number[]> =>
  feasible('unlink', model, ids, { label: t('Delete'), isDanger: true })
