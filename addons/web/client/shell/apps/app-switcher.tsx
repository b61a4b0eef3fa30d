import type { WireApp } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import { Dropdown } from '../../ui/dropdown.tsx'
import { Icon } from '../../ui/icon.tsx'
import { AppTile } from './app-tile.tsx'

/** Button with the name of the current application; opens the menu of applications. */
export const AppSwitcher = ({ app }: { readonly app: WireApp | null }) => (
  <Dropdown
    trigger={({ anchor, isOpen, toggle }) => (
      <button
        type="button"
        class="app-btn"
        ref={anchor}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={t('Switch app, now {app}', { app: app?.name ?? 'Modulus' })}
        onClick={toggle}
      >
        {app === null ? (
          <span class="tile">
            <Icon name="logo" />
          </span>
        ) : (
          <AppTile module={app.module} />
        )}
        <span class="lb cut">{app?.name ?? 'Modulus'}</span>
        <Icon name="chevrons-up-down" size="s" />
      </button>
    )}
    draw={({ AppItems }, layer) => <AppItems app={app} layer={layer} />}
  />
)
