import type { WireSession } from '../../../../../kernel/view/wire-admin.ts'
import { formatDatetime, formatRelative } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

interface SessionRowProps {
  readonly session: WireSession
  readonly onEnd: () => void
}

/** Where somebody is signed in, and since when unused. The session of this page is ended by signing out. */
export const SessionRow = ({ session: { device, ip, seenAt, isOwn }, onEnd }: SessionRowProps) => (
  <li>
    <Icon name="monitor" />
    <span class="two">
      <span>{device ?? t('Unknown device')}</span>
      <span class="hint">{ip ?? ''}</span>
    </span>
    <span class="t2" title={formatDatetime(seenAt)}>
      {formatRelative(seenAt, new Date())}
    </span>
    {isOwn ? (
      <span class="badge">{t('This device')}</span>
    ) : (
      <Button label={t('Sign out')} kind="ghost" size="sm" onClick={onEnd} />
    )}
  </li>
)
