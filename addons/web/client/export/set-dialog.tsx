import { useId, useState } from 'preact/hooks'
import { t } from '../core/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, openDialog } from '../ui/dialog.tsx'
import { showError } from '../ui/toasts.tsx'
import { mayShare, type SetTitle } from './sets.ts'

interface SetDialogProps {
  readonly title: string
  readonly set: SetTitle
  /** Rejects if the service refuses; the dialog then stays open. */
  readonly save: (set: SetTitle) => Promise<unknown>
}

/** Asks for the name of a set, and administrators whether it is for everybody. Whether it was saved. */
export const askSetTitle = (props: SetDialogProps): Promise<boolean> =>
  openDialog<boolean>((close) => <SetDialog {...props} onDone={close} />)

function SetDialog({ title, set, save, onDone }: SetDialogProps & { readonly onDone: (isSaved: boolean) => void }) {
  const [name, setName] = useState(set.name)
  const [isShared, setShared] = useState(set.isShared)
  const [isBusy, setBusy] = useState(false)
  const form = useId()
  const input = useId()
  const submit = async (event: Event) => {
    event.preventDefault()
    if (name.trim() === '' || isBusy) return
    setBusy(true)
    try {
      await save({ name: name.trim(), isShared })
      onDone(true)
    } catch (error) {
      setBusy(false)
      showError(error)
    }
  }
  return (
    <Dialog
      title={title}
      onClose={() => onDone(false)}
      footer={
        <>
          <Button label={t('Cancel')} onClick={() => onDone(false)} />
          <Button
            label={t('Save')}
            kind="primary"
            type="submit"
            form={form}
            isBusy={isBusy}
            disabled={name.trim() === ''}
          />
        </>
      }
    >
      <form id={form} class="fields" onSubmit={(event) => void submit(event)}>
        <div class="field">
          <label class="label" for={input}>
            {t('Name of the set')}
          </label>
          <input
            class="input"
            id={input}
            required
            maxLength={100}
            autocomplete="off"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </div>
        {mayShare() && (
          <label class="opt">
            <input type="checkbox" class="check" checked={isShared} onChange={() => setShared(!isShared)} />
            {t('Offer it to everybody')}
          </label>
        )}
      </form>
    </Dialog>
  )
}
