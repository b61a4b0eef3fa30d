import type { WireOperations, WireQueuedMail } from '../../../../../../kernel/view/wire-operations.ts'
import { formatDatetime, formatInteger, formatRelative } from '../../../core/format.ts'
import { t } from '../../../core/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Icon, type IconProps } from '../../../ui/icon.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { tell } from '../ask.ts'
import type { RunStep } from './jobs-panel.tsx'

interface MailProps {
  readonly found: WireOperations
  readonly onAct: RunStep
}

/** The mail server as the configuration file has it, and a test. */
export function MailPanel({ found: { server, testAddress }, onAct }: MailProps) {
  const test = () =>
    onAct(async () => {
      await tell('/web/settings/operations/test', {})
      showToast({ level: 'success', text: t('A test is in the queue') })
    })
  return (
    <section class="panel" aria-label={t('Outgoing mail')}>
      <header>
        <h2>{t('Outgoing mail')}</h2>
        <span class={classNames('state end', server === null && 'warning')}>
          <Icon name={server === null ? 'circle-alert' : 'circle-check'} size="s" />
          {server === null ? t('Not set up') : t('Set up')}
        </span>
      </header>
      <div class="body mailbody">
        {server !== null && (
          <dl class="mailset">
            <dt>{t('Server')}</dt>
            <dd>{server.host}</dd>
            <dt>{t('Port')}</dt>
            <dd>{server.port}</dd>
            <dt>{t('Encryption')}</dt>
            <dd>{server.secure ? t('TLS from the first byte') : t('STARTTLS')}</dd>
            <dt>{t('Account')}</dt>
            <dd>{server.user === '' ? '–' : server.user}</dd>
            <dt>{t('Sender')}</dt>
            <dd>{server.from}</dd>
          </dl>
        )}
        <p class="note">
          <Icon name="info" />
          <span>
            {t('These settings come from the file svc.ini, where whoever runs the service changes them:')}{' '}
            <code class="mono">smtp_host smtp_port smtp_secure smtp_user smtp_password smtp_from</code>
          </span>
        </p>
        {server !== null && (
          <div class="hs wrap">
            <Button label={t('Send a test')} icon="send" disabled={testAddress === null} onClick={() => void test()} />
            <span class="t2">
              {testAddress === null
                ? t('Your account has no mail address.')
                : t('to {address}', { address: testAddress })}
            </span>
          </div>
        )}
      </div>
    </section>
  )
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
export function QueuePanel({ found: { mails, open }, onAct }: MailProps) {
  const now = new Date()
  const retry = (id: number) => onAct(() => tell(`/web/settings/mails/${id}/retry`, {}))
  return (
    <section class="panel" aria-label={t('Mail queue')}>
      <header>
        <h2>{t('Mail queue')}</h2>
        <span class="count">{formatInteger(open)}</span>
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
                  {mail.error !== null && <span class="fs12 joberr">{mail.error}</span>}
                </span>
                <span class="fs12 t2" title={formatDatetime(mail.at)}>
                  {word()}, {formatRelative(mail.at, now)}
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
