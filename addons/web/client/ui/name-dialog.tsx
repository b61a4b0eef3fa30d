import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { t } from '../core/i18n.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './text-field.tsx'
import { showError } from './toasts.tsx'

export interface NameDialogProps {
  readonly title: string
  readonly label?: string
  readonly value?: string
  /** Label of the button; default: save. */
  readonly action?: string
  /** Rejects if the service refuses; the dialog then stays open. */
  readonly save: (name: string) => unknown
  readonly onClose: () => void
  /** Further choices, below the name. */
  readonly children?: ComponentChildren
}

/** Asks for a name under which something is saved. */
export function NameDialog({ title, label, value = '', action, save, onClose, children }: NameDialogProps) {
  const [name, setName] = useState(value)
  const [isBusy, setBusy] = useState(false)
  const form = useId()
  const isEmpty = name.trim() === ''
  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (isEmpty || isBusy) return
    setBusy(true)
    try {
      await save(name.trim())
    } catch (error) {
      setBusy(false)
      showError(error)
    }
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button label={t('Cancel')} onClick={onClose} />
          <Button
            label={action ?? t('Save')}
            kind="primary"
            type="submit"
            form={form}
            isBusy={isBusy}
            disabled={isEmpty}
          />
        </>
      }
    >
      <form id={form} class="fields" onSubmit={(event) => void submit(event)}>
        <TextField label={label ?? t('Name')} maxLength={100} value={name} onInput={setName} />
        {children}
      </form>
    </Dialog>
  )
}
