import type { WireWorkspace } from '../../../../kernel/view/wire.ts'
import { t } from '../core/i18n.ts'
import { views } from '../core/registries.ts'
import type { Route } from '../router/codec.ts'
import { Icon } from '../ui/icon.tsx'
import { VIEW_ICONS } from '../ui/view-icons.ts'

/** Links to the other views of the action. They keep the fragment: the search, and the look of each view for the way back. */
export function ViewTabs({ workspace, route }: { readonly workspace: WireWorkspace; readonly route: Route }) {
  const { viewTabs, viewType, records } = workspace
  if (viewTabs.length < 2) return null
  const state = String(new URLSearchParams(route.state))
  const hash = state && `#${state}`
  // The form of the first record; without one, that of a new record.
  const first = viewType !== 'form' && records[0]?.id
  return (
    <nav class="seg" aria-label={t('View')}>
      {viewTabs.map(({ mode, label, href, active }) => (
        <a
          key={mode}
          class="ico"
          data-mode={mode}
          href={href + (mode === 'form' && first ? `&id=${first}` : '') + hash}
          aria-label={label}
          data-tip={label}
          {...(active && { 'aria-current': 'page' as const })}
        >
          <Icon name={views.get(mode)?.icon ?? VIEW_ICONS[mode] ?? 'layout-grid'} />
        </a>
      ))}
    </nav>
  )
}
