import { useId, useState } from 'preact/hooks'
import { t } from '../../../core/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, openDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'

/** Asks for a name; null if it was cancelled. */
export const askName = (title: string, action: string, value: string): Promise<string | null> =>
  openDialog<string | null>((close) => <NameDialog title={title} action={action} value={value} onDone={close} />)

interface NameDialogProps {
  readonly title: string
  readonly action: string
  readonly value: string
  readonly onDone: (name: string | null) => void
}

function NameDialog({ title, action, value, onDone }: NameDialogProps) {
  const [name, setName] = useState(value)
  const form = useId()
  return (
    <Dialog
      title={title}
      onClose={() => onDone(null)}
      footer={
        <>
          <Button label={t('Cancel')} onClick={() => onDone(null)} />
          <Button label={action} kind="primary" type="submit" form={form} disabled={name.trim() === ''} />
        </>
      }
    >
      <form
        id={form}
        class="fields"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') onDone(name.trim())
        }}
      >
        <TextField label={t('Name')} maxLength={100} value={name} onInput={setName} />
      </form>
    </Dialog>
  )
}
