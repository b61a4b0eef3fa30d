import type { WireActed } from '../../../../../../kernel/view/wire.ts'
import { formatInteger } from '../../../core/format.ts'
import { t } from '../../../core/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, openDialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import './refusals.css'

/** Refusals that are listed; the others are counted. */
const MAX_LISTED = 20

export interface RefusalOptions {
  /** Words of the button: “Confirm”. */
  readonly label: string
  readonly isDanger: boolean
}

/** Says why one record refuses an action, in a sentence with its name. */
export function tellRefused({ refused }: WireActed): void {
  const told = refused.map(({ name, message }) =>
    message.includes(name) ? message : t('{field}: {value}', { field: name, value: message }),
  )
  showToast({ level: 'error', text: told.join(' ') })
}

/** Says for which records an action does not work, and why, and asks whether to go on with the others. */
export async function askPartly(acted: WireActed, options: RefusalOptions): Promise<boolean> {
  if (acted.refused.length === 1 && acted.possible.length === 0) {
    tellRefused(acted)
    return false
  }
  const isSure = await openDialog<boolean>((close) => <Refusals acted={acted} {...options} onClose={close} />)
  return isSure === true
}

interface RefusalsProps extends RefusalOptions {
  readonly acted: WireActed
  readonly onClose: (isSure: boolean) => void
}

function Refusals({ acted: { possible, refused }, label, isDanger, onClose }: RefusalsProps) {
  const [can, total] = [formatInteger(possible.length), formatInteger(possible.length + refused.length)]
  const isAny = possible.length > 0
  return (
    <Dialog
      title={
        isAny
          ? t('“{action}” is possible for {can} of {total} records', { action: label, can, total })
          : t('“{action}” is possible for none of {total} records', { action: label, total })
      }
      class="refusals"
      onClose={() => onClose(false)}
      footer={
        <>
          <Button label={isAny ? t('Cancel') : t('Close')} onClick={() => onClose(false)} />
          {isAny && (
            <Button
              label={t('{action} ({n})', { action: label, n: can })}
              kind={isDanger ? 'danger' : 'primary'}
              onClick={() => onClose(true)}
            />
          )}
        </>
      }
    >
      <progress
        max={possible.length + refused.length}
        value={possible.length}
        aria-label={t('{can} of {total}', { can, total })}
      />
      <RefusalList refused={refused} />
    </Dialog>
  )
}

/** The first of the records that refuse something, with why, and how many more there are. */
export function RefusalList({ refused }: Pick<WireActed, 'refused'>) {
  const rest = refused.length - MAX_LISTED
  return (
    <>
      <ul>
        {refused.slice(0, MAX_LISTED).map(({ id, name, message }) => (
          <li key={id}>
            <Icon name="circle-alert" />
            <span>
              {!message.includes(name) && <b>{name}</b>}
              <span class="t2 fs12">{message}</span>
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p class="t2">{t('And {n} more.', { n: formatInteger(rest) })}</p>}
    </>
  )
}
