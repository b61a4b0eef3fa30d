import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { WireApp } from '../../../../../kernel/view/wire.ts'
import { deferred, deferredComponent } from '../../core/deferred.tsx'
import { currentLocale, formatDate, formatRelative, today } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import type { Route } from '../../router/codec.ts'
import { services } from '../../services.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { homeDashboard } from '../../views/dashboard/model/home-dashboard.ts'
import { AppTile } from '../apps/app-tile.tsx'
import { PinnedApps } from '../apps/pinned-apps.tsx'
import { isPinned } from '../apps/pins.ts'
import { AppCaption, PinButton } from '../apps/tile-parts.tsx'
import { openPalette } from '../palette/open-palette.ts'
import { recentRecords } from '../palette/recent.ts'
import { describeWaiting, loadActivities } from './activities.ts'
import { ActivitiesPanel } from './activities-panel.tsx'
import { Checklist } from './checklist.tsx'
import { Today } from './today.tsx'
import { useLoaded } from './use-loaded.ts'
import './home.css'

const HomeDashboard = deferredComponent(
  deferred(() => import('../../views/dashboard/view.tsx')),
  ({ DashboardPage }) => DashboardPage,
)

/** The home page: the dashboard that the user has chosen for it, otherwise the overview. */
export function Page({ route }: { readonly route: Route }) {
  const [id] = useState(homeDashboard)
  return id === null ? <Overview /> : <HomeDashboard id={id} route={route} missing={<Overview />} />
}

/**
 * The overview: pinned applications, figures, activities, recent records and all other applications. Typing opens the
 * palette.
 */
function Overview() {
  const { session, rpc } = services()
  const { apps, user, home } = session.bootstrap
  const [day] = useState(today)
  const [isEditing, setEditing] = useState(false)
  const sources = home.activities
  const activities = useLoaded(
    sources.map(({ model }) => model),
    () => loadActivities(rpc, sources, day),
  )
  useTypeToSearch()
  const others = apps.filter(({ module }) => !isPinned(module))
  const hasPins = others.length < apps.length
  const edit = (
    <Button
      label={isEditing ? t('Done') : t('Edit')}
      kind="ghost"
      size="sm"
      pressed={isEditing}
      onClick={() => setEditing(!isEditing)}
    />
  )
  return (
    <div class="view">
      <div class="scroll" data-scroll="home">
        <div class="hub" {...(isEditing && { 'data-editing': '' })}>
          <header class="hubhead">
            <div>
              <h2>{greeting(user.name)}</h2>
              <p class="t2">
                {formatDate(day, 'weekday')}
                {sources.length > 0 && activities.kind === 'there' && `. ${describeWaiting(activities.value)}`}
              </p>
            </div>
            <button type="button" class="search hubsearch" onClick={() => void openPalette()}>
              <Icon name="search" />
              <span class="t3">{t('Find an app, record or action')}</span>
              <span class="wide">
                <Kbd keys="mod+k" />
              </span>
            </button>
          </header>
          <Checklist />
          <PinnedApps edit={edit} />
          {hasPins || <OtherApps apps={others} label={t('Apps')} edit={edit} />}
          <Today day={day} />
          <div class="hub2">
            {sources.length > 0 && <ActivitiesPanel loaded={activities} today={day} />}
            <Recent />
          </div>
          {hasPins && <OtherApps apps={others} label={t('More apps')} />}
        </div>
      </div>
    </div>
  )
}

interface OtherAppsProps {
  readonly apps: readonly WireApp[]
  readonly label: string
  readonly edit?: ComponentChildren
}

function OtherApps({ apps, label, edit }: OtherAppsProps) {
  if (apps.length === 0) return null
  return (
    <section aria-labelledby="home-apps">
      <div class="sech">
        <h2 id="home-apps">{label}</h2>
        {edit}
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
  const hour = hourOf(new Date())
  if (hour < 5 || hour >= 18) return t('Good evening, {name}', { name: first })
  return hour < 12 ? t('Good morning, {name}', { name: first }) : t('Good afternoon, {name}', { name: first })
}

/** Hour of the day in the user's time zone. */
const hourOf = (moment: Date): number =>
  Number(
    new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: currentLocale().zone }).format(moment),
  )

const MAX_RECENT_SHOWN = 6

function Recent() {
  const shown = recentRecords.value.slice(0, MAX_RECENT_SHOWN)
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

/** Opens the palette with a letter or digit that is typed while no control has the focus. */
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
