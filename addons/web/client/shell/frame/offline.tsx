import { t } from '../../core/i18n.ts'
import { services } from '../../services.ts'
import { Icon } from '../../ui/icon.tsx'

/** Notice shown while the server cannot be reached. */
export function Offline() {
  const { session, currentView } = services()
  return (
    <span role="status" aria-live="polite">
      {!session.online.value && (
        <button
          type="button"
          class="chip offline"
          data-tip={t('Changes wait until the server answers. Try again now.')}
          onClick={() => void currentView.reload()}
        >
          <Icon name="cloud-off" />
          {t('Offline')}
        </button>
      )}
    </span>
  )
}
