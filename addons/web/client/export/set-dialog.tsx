import { useState } from 'preact/hooks'
import { t } from '../core/i18n.ts'
import { openDialog } from '../ui/dialog.tsx'
import { NameDialog } from '../ui/name-dialog.tsx'
import { mayShare, type SetTitle } from './sets.ts'

interface SetDialogProps {
  readonly title: string
  readonly set: SetTitle
  /** Rejects if the service refuses; the dialog then stays open. */
  readonly save: (set: SetTitle) => Promise<unknown>
}

/** Asks for the name of a set, and administrators whether it is shared. Resolves to whether it was saved. */
export const askSetTitle = (props: SetDialogProps): Promise<boolean> =>
  openDialog<boolean>((close) => <SetDialog {...props} onDone={close} />)

function SetDialog({ title, set, save, onDone }: SetDialogProps & { readonly onDone: (isSaved: boolean) => void }) {
  const [isShared, setShared] = useState(set.isShared)
  return (
    <NameDialog
      title={title}
      label={t('Name of the set')}
      value={set.name}
      save={(name) => save({ name, isShared }).then(() => onDone(true))}
      onClose={() => onDone(false)}
    >
      {mayShare() && (
        <label class="opt">
          <input type="checkbox" class="check" checked={isShared} onChange={() => setShared(!isShared)} />
          {t('Offer it to everybody')}
        </label>
      )}
    </NameDialog>
  )
}
