import { t } from '../core/i18n.ts'
import { joinCrumbs } from '../router/breadcrumbs.ts'
import { services } from '../services.ts'
import { DialogHost } from '../ui/dialog.tsx'
import { ToastHost } from '../ui/toasts.tsx'
import { ViewHost } from '../views/view-host.tsx'

/** The whole page: landmarks, the place one is at, and the layers above it. */
export function App() {
  return (
    <>
      <a class="skip" href="#main">
        {t('Skip to content')}
      </a>
      <div class="shell">
        <aside class="sidebar" aria-label={t('Navigation')} />
        <header class="topbar">
          <Crumbs />
        </header>
        <main id="main" tabIndex={-1}>
          <ViewHost />
        </main>
      </div>
      <DialogHost />
      <ToastHost />
    </>
  )
}

function Crumbs() {
  const { place, router } = services()
  const shown = place.shown.value
  const own = shown?.kind === 'view' ? shown.workspace.breadcrumbs : []
  const crumbs = joinCrumbs(router.trail.value, own)
  return (
    <nav class="crumbs" aria-label={t('Breadcrumb')}>
      <ol>
        {crumbs.slice(0, -1).map(({ label, href }) => (
          <li key={label}>{href === null ? <span>{label}</span> : <a href={href}>{label}</a>}</li>
        ))}
        <li>
          <h1>{crumbs.at(-1)?.label ?? router.title.value}</h1>
        </li>
      </ol>
    </nav>
  )
}
