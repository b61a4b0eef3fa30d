import { batch, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import type { WireWorkspace } from '../../../../kernel/view/wire.ts'
import { deferred } from '../core/deferred.tsx'
import { t } from '../core/i18n.ts'
import { pages, type ViewProps, views } from '../core/registries.ts'
import type { Session } from '../core/session.ts'
import { isAbort } from '../net/errors.ts'
import type { Transport } from '../net/transport.ts'
import { fetchWorkspace } from '../net/workspace.ts'
import { leadOf } from '../router/breadcrumbs.ts'
import { formatQuery, type Route } from '../router/codec.ts'
import { locateMenu, menuAhead } from '../router/menus.ts'
import type { Router } from '../router/router.ts'
import type { RecordStore } from '../store/records.ts'

const placeholder = deferred(() => import('./placeholder.tsx'))

/** The content on screen: the workspace of the address and the view that draws it, or a page. */
export interface CurrentView {
  readonly shown: ReadonlySignal<Shown | null>
  readonly isLoading: ReadonlySignal<boolean>
  readonly error: ReadonlySignal<unknown>
  /** Loads the current address again. */
  reload(): Promise<void>
}

export type Shown =
  | {
      readonly kind: 'view'
      /** The address it was loaded for, with the current fragment. */
      readonly route: Route
      readonly workspace: WireWorkspace
      readonly View: ComponentType<ViewProps>
    }
  | {
      readonly kind: 'page'
      readonly route: Route
      readonly title: string
      readonly Page: ComponentType<{ readonly route: Route }>
    }

export interface CurrentViewPorts {
  readonly session: Session
  readonly transport: Transport
  readonly records: RecordStore
  readonly router: Router
  /** The query of the page exactly as it was opened: the page preloads the workspace under it. */
  readonly openedWith: string
}

/** Follows the router: loads workspace and chunk in parallel, ignores answers to older addresses, and keeps the old view until the new one is ready. */
export function followRouter({ session, transport, records, router, openedWith }: CurrentViewPorts): CurrentView {
  const shown = signal<Shown | null>(null)
  const isLoading = signal(true)
  const error = signal<unknown>(null)
  let abort = new AbortController()
  let isFirst = true

  async function loadView(route: Route, aborted: AbortSignal): Promise<Shown> {
    const query = isFirst ? openedWith : formatQuery(route.params, route.extra)
    const asked = route.params.view_type ?? (route.params.id === undefined ? 'list' : 'form')
    // The chunk most likely needed is loaded in parallel; its failure is reported below, if it is the right one.
    const likely = views.get(asked)
    const early = likely?.load()
    early?.catch(() => undefined)
    const workspace = await fetchWorkspace(transport, session.bootstrap.wcApiBase, query, {
      signal: aborted,
      plain: isFirst,
      // While the server is away the error is shown at once instead of retrying; the view loads when the server is back.
      repeatable: session.online.peek(),
    })
    const { viewType, model } = workspace
    const entry = views.first([`${model}/${viewType}`, viewType]) ?? placeholder
    const { View } = await (entry === likely && early ? early : entry.load())
    session.csrfToken.value = workspace.csrfToken
    records.put(workspace.model, workspace.records)
    return { kind: 'view', route, workspace, View }
  }

  async function loadPage(route: Route): Promise<Shown | null> {
    const entry = pages.get(route.path)
    if (!entry) return null
    return { kind: 'page', route, title: '', ...entry, ...(await entry.load()) }
  }

  /** Shows name and breadcrumbs of a followed menu at once; its view will have the same. */
  function nameAhead(route: Route): void {
    const menuId = menuAhead(route, shown.peek()?.route)
    const { app, menu } = menuId ? locateMenu(session.bootstrap, { menuId }) : {}
    if (!app || !menu) return
    router.title.value = menu.name
    router.lead.value = app.name === menu.name ? [] : [{ label: app.name, href: app.href }]
  }

  async function load(route: Route): Promise<void> {
    abort.abort()
    const own = new AbortController()
    abort = own
    isLoading.value = true
    nameAhead(route)
    try {
      const next = (await loadPage(route)) ?? (await loadView(route, own.signal))
      if (own.signal.aborted) return
      isFirst = false
      batch(() => {
        shown.value = next
        error.value = null
        isLoading.value = false
        router.title.value = shownTitle(next)
        router.lead.value = next.kind === 'view' ? leadOf(next.workspace.breadcrumbs) : []
      })
    } catch (failure) {
      if (own.signal.aborted || isAbort(failure)) return
      isFirst = false
      batch(() => {
        error.value = failure
        isLoading.value = false
      })
    }
  }

  effect(() => {
    const route = router.route.value
    const before = shown.peek()
    if (before && !isLoading.peek() && error.peek() === null && sameAddress(before.route, route)) {
      shown.value = { ...before, route }
    } else void load(route)
  })

  return { shown, isLoading, error, reload: () => load(router.route.peek()) }
}

export const shownTitle = (shown: Shown): string =>
  shown.kind === 'page' ? t(shown.title) : (shown.workspace.breadcrumbs.at(-1)?.label ?? shown.workspace.title)

/** Whether only the fragment differs, which the server does not know. */
const sameAddress = (a: Route, b: Route): boolean =>
  a.path === b.path && formatQuery(a.params, a.extra) === formatQuery(b.params, b.extra)
