import type { ComponentChildren } from 'preact'
import { t } from '../core/i18n.ts'
import { explain } from '../net/errors.ts'
import { Button } from './button.tsx'
import { Icon, type IconProps } from './icon.tsx'

export interface EmptyProps {
  readonly icon: IconProps['name']
  readonly title: string
  /** A single sentence. */
  readonly text?: ComponentChildren
  /** One or two buttons. */
  readonly actions?: ComponentChildren
  readonly requestId?: string | null
}

/** An empty state: what would be shown here, and what the user can do. */
export const Empty = ({ icon, title, text, actions, requestId }: EmptyProps) => (
  <div class="empty">
    <span class="art">
      <Icon name={icon} size="xl" />
    </span>
    <h2>{title}</h2>
    {text !== undefined && <p>{text}</p>}
    {actions !== undefined && <div class="btns">{actions}</div>}
    {requestId != null && <span class="rid">{t('Request {id}', { id: requestId })}</span>}
  </div>
)

interface ErrorStateProps {
  readonly error: unknown
  readonly onRetry?: () => void
  /** Address to return to; default: the home page. */
  readonly back?: string | undefined
}

/** The state shown in place of content that failed to load. */
export function ErrorState({ error, onRetry, back }: ErrorStateProps) {
  const { title, text, requestId, retry } = explain(error)
  return (
    <div role="alert">
      <Empty
        icon={retry ? 'cloud-off' : 'circle-alert'}
        title={title}
        text={text}
        requestId={requestId}
        actions={
          retry && onRetry ? (
            <Button label={t('Try again')} icon="refresh-cw" onClick={onRetry} />
          ) : (
            <Button label={back ? t('Go back') : t('Go to the home page')} href={back ?? '/web/home'} />
          )
        }
      />
    </div>
  )
}
