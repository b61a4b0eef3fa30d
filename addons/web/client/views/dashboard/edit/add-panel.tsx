import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { hotkeys } from '../../../core/hotkeys.ts'
import { t } from '../../../core/i18n.ts'
import { changeRoute, parseRoute, type Route } from '../../../router/codec.ts'
import { allMenus, menuIcon } from '../../../router/menus.ts'
import { applyFavourite, favourites } from '../../../search/query/favourites.ts'
import { services } from '../../../services.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { showError, showToast } from '../../../ui/toasts.tsx'
import type { Arranging } from '../model/arranging.ts'
import type { Dashboard } from '../model/dashboard.ts'
import { freePlace } from '../model/layout.ts'
import { FIGURE } from '../model/tile.ts'
import { tileKinds } from '../tile/kinds.ts'
import { tileOfView } from './tile-of-view.ts'

/** A view that a tile can be made of. */
interface Source {
  readonly key: string
  readonly name: string
  readonly about: string
  readonly icon: string
  readonly route: Route
}

const MAX_SHOWN = 12

interface AddPanelProps {
  readonly dashboard: Dashboard
  readonly arranging: Arranging
  readonly onClose: () => void
}

/** Adds tiles: a kind, and one of the menus or saved searches of the user. */
export function AddPanel({ dashboard, arranging, onClose }: AddPanelProps) {
  const [kind, setKind] = useState(FIGURE)
  const [text, setText] = useState('')
  const panel = useRef<HTMLElement>(null)
  useFocusInside(panel)
  useLayoutEffect(
    () => hotkeys.add({ keys: 'escape', label: t('Close'), group: t('Add tile'), run: onClose }),
    [onClose],
  )
  const wanted = text.trim().toLowerCase()
  const sources = sourcesOf()
    .filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(wanted))
    .slice(0, MAX_SHOWN)

  async function add(source: Source): Promise<void> {
    const { size = [4, 4] } = tileKinds().find((each) => each.kind === kind) ?? {}
    try {
      const workspace = await dashboard.workspaceAt(kind, source.route)
      if (kind !== FIGURE && workspace.viewType !== kind) {
        showToast({ level: 'warning', text: t('“{name}” has no such view.', { name: source.name }) })
        return
      }
      arranging.apply([
        ...arranging.tiles.peek(),
        {
          ...tileOfView(workspace, source.route),
          id: arranging.newId(),
          name: source.name,
          viewType: kind,
          ...freePlace(arranging.tiles.peek(), size[0], size[1]),
        },
      ])
    } catch (error) {
      showError(error)
    }
  }

  return (
    <aside class="dt-add" ref={panel} aria-label={t('Add tile')}>
      <header>
        <h2>{t('Add tile')}</h2>
        <Button label={t('Close')} icon="x" iconOnly kind="ghost" size="sm" onClick={onClose} />
      </header>
      <input
        class="input"
        type="search"
        aria-label={t('Find a view')}
        placeholder={t('Find a view')}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <h3 class="side-h">{t('Kind')}</h3>
      <div class="dt-kinds">
        {tileKinds().map(({ kind: each, label, icon }) => (
          <button key={each} type="button" aria-pressed={each === kind} onClick={() => setKind(each)}>
            <Icon name={icon} />
            {t(label)}
          </button>
        ))}
      </div>
      <h3 class="side-h">{t('Views')}</h3>
      <ul class="dt-src">
        {sources.map((source) => (
          <li key={source.key}>
            <button type="button" onClick={() => void add(source)}>
              <Icon name={source.icon} />
              <span class="grow">
                <span class="cut med">{source.name}</span>
                <span class="cut fs12 t3">{source.about}</span>
              </span>
              <Icon name="plus" />
            </button>
          </li>
        ))}
      </ul>
      <div class="dt-keys">
        <Kbd keys="arrowright" />
        {t('move')}
        <Kbd keys="shift+arrowright" />
        {t('size')}
        <Kbd keys="delete" />
        {t('remove')}
      </div>
    </aside>
  )
}

/** The search has the focus while the panel is open; then it goes back to where it was. */
function useFocusInside(panel: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = panel.current
    const before = document.activeElement
    element?.querySelector('input')?.focus()
    return () => {
      if (element?.contains(document.activeElement) && before instanceof HTMLElement) before.focus()
    }
  }, [])
}

/** Saved searches first, then the menus that open records. */
function sourcesOf(): readonly Source[] {
  const { topMenus } = services().session.bootstrap
  const menus = topMenus.flatMap((root) =>
    allMenus(root.children.length > 0 ? root.children : [root]).flatMap((menu) => {
      const route = parseRoute(menu.href ?? '')
      const isOffered = route.params.action !== undefined && menu.model !== undefined && !menu.model.startsWith('sys.')
      return isOffered ? [{ menu, root, route }] : []
    }),
  )
  const saved = favourites.value.flatMap((favourite): readonly Source[] => {
    const home = menus.find(({ menu, route }) =>
      favourite.actionId === null ? menu.model === favourite.model : route.params.action === favourite.actionId,
    )
    if (!home) return []
    return [
      {
        key: `f${favourite.id}`,
        name: favourite.name,
        about: home.menu.name,
        icon: 'star',
        route: applyFavourite(home.route, favourite),
      },
    ]
  })
  return [
    ...saved,
    ...menus.map(({ menu, root, route }) => ({
      key: `m${menu.id}`,
      name: menu.name,
      about: root.name,
      icon: menuIcon(menu),
      route: changeRoute(route, { filter: [] }),
    })),
  ]
}
