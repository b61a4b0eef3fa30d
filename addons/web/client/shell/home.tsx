import { useEffect } from 'preact/hooks'
import type { WireApp } from '../../../../kernel/view/wire.ts'
import { dayOf, formatDate, formatRelative } from '../core/format.ts'
import { t } from '../core/i18n.ts'
import { formatRoute, parseRoute } from '../router/codec.ts'
import { favouriteRoute, favourites } from '../search/favourites.ts'
import { services } from '../services.ts'
import { Icon } from '../ui/icon.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { AppTile } from './app-tile.tsx'
import { allMenus } from './navigation.ts'
import { openPalette } from './open-palette.ts'
import { PinnedApps } from './pinned-apps.tsx'
import { isPinned } from './pins.ts'
import { recentRecords } from './recent.ts'
import { AppCaption, PinButton } from './tile-parts.tsx'
import './home.css'

/** The hub: what is pinned, what one worked on, everything else. Typing anywhere searches. */
export function Page() {
  const { session } = services()
  const { apps, user } = session.bootstrap
  useTypeToSearch()
  const others = apps.filter(({ module }) => !isPinned(module))
  const hasPins = others.length < apps.length
  return (
    <div class="view">
      <div class="scroll" data-scroll="home">
        <div class="hub">
          <header class="hubhead">
            <div>
              <h2>{greeting(user.name)}</h2>
              <p class="t2">{formatDate(dayOf(new Date().toISOString()), 'weekday')}</p>
            </div>
            <button type="button" class="search hubsearch" onClick={() => void openPalette()}>
              <Icon name="search" />
              <span class="t3">{t('Find an app, record or action')}</span>
              <span class="wide">
                <Kbd keys="mod+k" />
              </span>
            </button>
          </header>
          <PinnedApps />
          {hasPins || <OtherApps apps={others} label={t('Apps')} />}
          <div class="hub2">
            <Recent />
            <SavedSearches />
          </div>
          {hasPins && <OtherApps apps={others} label={t('More apps')} />}
        </div>
      </div>
    </div>
  )
}

function OtherApps({ apps, label }: { readonly apps: readonly WireApp[]; readonly label: string }) {
  if (apps.length === 0) return null
  return (
    <section aria-labelledby="home-apps">
      <div class="sech">
        <h2 id="home-apps">{label}</h2>
      </div>
      <ul class="apps">
        {apps.map((app) => (
          <OtherApp key={app.module} app={app} />
        ))}
      </ul>
    </section>
  )
}

const OtherApp = ({ app }: { readonly app: WireApp }) => (
  <li>
    <a class="apptile" href={app.href} data-root>
      <AppTile module={app.module} isLarge />
      <span class="lb">
        <b class="bold">{app.name}</b>
        <AppCaption app={app} />
      </span>
    </a>
    <PinButton app={app} />
  </li>
)

function greeting(name: string): string {
  const first = name.split(/\s+/)[0] ?? name
  const hour = new Date().getHours()
  if (hour < 5 || hour >= 18) return t('Good evening, {name}', { name: first })
  return hour < 12 ? t('Good morning, {name}', { name: first }) : t('Good afternoon, {name}', { name: first })
}

const MOST = 6

function Recent() {
  const shown = recentRecords.value.slice(0, MOST)
  return (
    <section class="panel" aria-labelledby="home-recent">
      <header>
        <h2 id="home-recent">{t('Recent')}</h2>
      </header>
      {shown.length === 0 ? (
        <p class="none t2">{t('Records you open are listed here.')}</p>
      ) : (
        <ul class="rows">
          {shown.map(({ href, name, kind, module, at }) => (
            <li key={href}>
              <a href={href} data-root>
                <AppTile module={module} />
                <span class="cut">{name}</span>
                <span class="t3 grow cut">{kind}</span>
                <time class="t3 fs12" dateTime={at}>
                  {formatRelative(at, new Date())}
                </time>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function SavedSearches() {
  const { topMenus } = services().session.bootstrap
  const menus = allMenus(topMenus)
  const links = favourites.value.flatMap((favourite) => {
    const menu = menus.find(
      ({ href, model }) =>
        href !== null &&
        model === favourite.model &&
        (favourite.actionId ?? parseRoute(href).params.action) === parseRoute(href).params.action,
    )
    return menu?.href == null ? [] : [{ favourite, menu, href: formatRoute(favouriteRoute(menu.href, favourite)) }]
  })
  return (
    <section class="panel" aria-labelledby="home-favourites">
      <header>
        <h2 id="home-favourites">{t('Favourites')}</h2>
      </header>
      {links.length === 0 ? (
        <p class="none t2">{t('Save a search with the star beside its heading.')}</p>
      ) : (
        <ul class="rows">
          {links.slice(0, MOST).map(({ favourite, menu, href }) => (
            <li key={favourite.id}>
              <a href={href} data-root>
                <span class="t3">
                  <Icon name={favourite.isShared ? 'users' : 'star'} />
                </span>
                <span class="cut">{favourite.name}</span>
                <span class="t3 grow cut">{menu.name}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** A letter typed while nothing has the keys begins a search. */
function useTypeToSearch(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target } = event
      const isPlain = key.length === 1 && /[\p{L}\p{N}]/u.test(key) && !event.ctrlKey && !event.metaKey && !event.altKey
      const isIdle = target === document.body || (target instanceof Element && target.closest('main') !== null)
      const isTaken = event.defaultPrevented || document.querySelector('dialog[open]') !== null
      if (!isPlain || !isIdle || isTaken || target instanceof HTMLInputElement) return
      event.preventDefault()
      void openPalette(key)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
