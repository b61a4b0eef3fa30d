import { openDialog } from '../../../ui/dialog.tsx'
import { NameDialog } from '../../../ui/name-dialog.tsx'

/** Asks for a name; null if it was cancelled. */
export const askName = (title: string, action: string, value: string): Promise<string | null> =>
  openDialog<string | null>((close) => (
    <NameDialog title={title} action={action} value={value} save={close} onClose={() => close(null)} />
  ))
