import './live-dot.css'
import { t } from '../../core/i18n.ts'
import { services } from '../../services.ts'
import { classNames } from '../../ui/class-names.ts'

/** Says that figures are kept up to date, where they are. */
export const LiveDot = ({ class: extra }: { readonly class?: string }) =>
  services().session.bootstrap.busEnabled && services().session.online.value ? (
    <span class={classNames('livedot', extra)}>
      <i />
      {t('Live')}
    </span>
  ) : null
