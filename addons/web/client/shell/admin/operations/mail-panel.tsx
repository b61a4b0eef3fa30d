import type { WireMail } from '../../../../../../kernel/admin/wire-operations.ts'
import { msg, t } from '../../../core/i18n.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Icon, type IconProps } from '../../../ui/icon.tsx'
import { MailFacts } from './mail-facts.tsx'
import { MailForm } from './mail-form.tsx'

interface MailProps {
  readonly mail: WireMail
  readonly onChanged: () => void
}

const STATES: Readonly<
  Record<WireMail['state'], { readonly icon: IconProps['name']; readonly tone: string; readonly word: string }>
> = {
  none: { icon: 'circle-alert', tone: 'warning', word: msg('Not set up') },
  ready: { icon: 'circle-check', tone: '', word: msg('Set up') },
  locked: { icon: 'circle-alert', tone: 'danger', word: msg('Password cannot be opened') },
}

/** The mail server: as a form, or read-only if it is set in the configuration of the service. */
export function MailPanel({ mail, onChanged }: MailProps) {
  const { icon, tone, word } = STATES[mail.state]
  return (
    <section class="panel" aria-label={t('Outgoing mail')}>
      <header>
        <h2>{t('Outgoing mail')}</h2>
        <span class={classNames('state end', tone)}>
          <Icon name={icon} size="s" />
          {t(word)}
        </span>
      </header>
      {mail.places === null ? (
        <MailForm mail={mail} onChanged={onChanged} />
      ) : (
        <MailFacts mail={mail} places={mail.places} />
      )}
    </section>
  )
}
