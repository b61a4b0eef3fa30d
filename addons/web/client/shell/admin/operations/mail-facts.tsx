import type { WireMail } from '../../../../../../kernel/admin/wire-operations.ts'
import { t } from '../../../core/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { showError } from '../../../ui/toasts.tsx'
import { TestRow } from './mail-test.tsx'

interface MailFactsProps {
  readonly mail: WireMail
  readonly places: NonNullable<WireMail['places']>
}

/** The mail server that the service was started with, and where each setting comes from. */
export function MailFacts({ mail, places }: MailFactsProps) {
  const { server, testAddress } = mail
  const isSet = Object.keys(places).length > 0
  const rows = server && [
    ['host', t('Server'), server.host],
    ['port', t('Port'), String(server.port)],
    ['secure', t('Encryption'), server.secure ? t('TLS from the first byte') : t('STARTTLS')],
    ['user', t('Account'), server.user === '' ? '–' : server.user],
    ['password', t('Password'), server.hasPassword ? t('Set, never shown') : '–'],
    ['from', t('Sender'), server.from],
  ]
  return (
    <div class="body mailbody">
      {rows && (
        <dl class="mailset">
          {rows.map(([name = '', label, value]) => (
            <div key={name}>
              <dt>{label}</dt>
              <dd>
                {value} <span class="fs12 t3 mono">{places[name] ?? t('default')}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p class="note">
        <Icon name="info" />
        <span>
          {!isSet
            ? t('This service sends no mail.')
            : server === null
              ? t('Settings of mail were given at the start of the service, but smtp_host or smtp_from is missing:')
              : t('The service was started with these settings, so they are changed where they stand, not here.')}{' '}
          {isSet && server === null && <code class="mono">{Object.values(places).join(', ')}</code>}
        </span>
      </p>
      {server !== null && <TestRow address={testAddress} input={() => null} onError={showError} />}
    </div>
  )
}
