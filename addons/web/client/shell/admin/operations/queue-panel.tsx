import { useEffect } from 'preact/hooks'
import type { WireOperations, WireQueuedMail } from '../../../../../../kernel/admin/wire-operations.ts'
import { formatInteger } from '../../../core/format.ts'
import { hotkeys } from '../../../core/hotkeys.ts'
import { t } from '../../../core/i18n.ts'
import { postJson } from '../../../net/json-routes.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Icon, type IconProps } from '../../../ui/icon.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { Ago } from '../ago.tsx'
import type { RunStep } from './jobs-panel.tsx'

interface QueueProps {
  readonly found: WireOperations
  readonly onAct: RunStep
}

const STATES: Readonly<
  Record<
    WireQueuedMail['state'],
    { readonly icon: IconProps['name']; readonly tone: string; readonly word: () => string }
  >
> = {
  queued: { icon: 'clock', tone: 'warning', word: () => t('Waiting') },
  sending: { icon: 'send', tone: 'info', word: () => t('On its way') },
  sent: { icon: 'circle-check', tone: 'success', word: () => t('Sent') },
  failed: { icon: 'circle-alert', tone: 'danger', word: () => t('Given up') },
  unknown: { icon: 'circle-help', tone: 'warning', word: () => t('Unclear') },
}

/** Mails that wait or were given up, then the last ones that were sent. */
export function QueuePanel({ found: { mails, open }, onAct }: QueueProps) {
  const send = (address: string) =>
    onAct(async () => {
      await postJson(address, {})
      showToast({ level: 'info', text: t('Another try is being made') })
    })
  const retry = (id: number) => send(`/web/settings/mails/${id}/retry`)
  const retryAll = () => send('/web/settings/mails/retry')
  // An unclear mail may have arrived already, so each of those is decided separately.
  const hasSome = mails.some(({ state }) => state === 'queued' || state === 'failed')
  useEffect(() => {
    if (!hasSome) return
    return hotkeys.add({ keys: 'r', label: t('Retry all'), group: t('Operations'), run: () => void retryAll() })
  })
  return (
    <section class="panel" aria-label={t('Mail queue')}>
      <header>
        <h2>{t('Mail queue')}</h2>
        <span class="count">{formatInteger(open)}</span>
        {hasSome && (
          <span class="end">
            <Button label={t('Retry all')} icon="refresh-cw" size="sm" keys="r" onClick={() => void retryAll()} />
          </span>
        )}
      </header>
      {mails.length === 0 ? (
        <Empty icon="mail" title={t('No mail yet')} />
      ) : (
        <ul class="mailq">
          {mails.map((mail) => {
            const { icon, tone, word } = STATES[mail.state]
            return (
              <li key={mail.id}>
                <span class={classNames('state', tone)}>
                  <Icon name={icon} size="s" />
                  <span class="vh">{word()}</span>
                </span>
                <span class="two">
                  <span class="cut">{mail.subject}</span>
                  <span class="fs12 t3 cut">{mail.to}</span>
                  {mail.error !== null && (
                    <span class="fs12 joberr" title={mail.detail ?? undefined}>
                      {mail.error}
                    </span>
                  )}
                </span>
                <span class="fs12 t2">
                  {word()}, <Ago at={mail.at} />
                </span>
                {mail.state !== 'sent' && mail.state !== 'sending' && (
                  <Button label={t('Retry')} kind="ghost" size="sm" onClick={() => void retry(mail.id)}>
                    <span class="vh"> {mail.subject}</span>
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
      )}
      <footer class="opsfoot fs12 t3">{t('A mail sent again keeps its message id, so that it arrives once.')}</footer>
    </section>
  )
}
