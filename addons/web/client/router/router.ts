import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { type Crumb, followTrail } from './breadcrumbs.ts'
import { formatRoute, parseRoute, type Route } from './codec.ts'
import { createGuards, type Guards } from './guard.ts'

/** The part of the browser the router uses; tests provide their own. */
export interface RouterPorts {
  readonly location: Pick<Location, 'pathname' | 'search' | 'hash' | 'origin' | 'assign'>
  readonly history: Pick<History, 'pushState' | 'replaceState' | 'go' | 'state'>
  readonly addEventListener: (type: 'popstate' | 'click' | 'beforeunload', listener: (event: Event) => void) => void
  /** Captures scroll offsets and focus, to restore them later. */
  readonly capture: () => PagePosition
  readonly restore: (spot: PagePosition | null) => void
  /** Focuses a part of the page, for links that are only a fragment; the address does not change. */
  readonly focus: (id: string) => void
}

export interface PagePosition {
  /** Scroll offset by the id of the scrolled part. */
  readonly scroll: Readonly<Record<string, number>>
  readonly focus: string | null
}

export interface Router {
  readonly route: ReadonlySignal<Route>
  readonly trail: ReadonlySignal<readonly Crumb[]>
  readonly guards: Guards
  /** Title of the current page, for the breadcrumbs of the next. */
  readonly title: Signal<string>
  /** The server's breadcrumbs to this page, used when there are no others. */
  readonly lead: Signal<readonly Crumb[]>
  /** Goes to an address of the client, or leaves the page for any other. */
  go(address: string | Route, options?: GoOptions): Promise<boolean>
  /** Restores scroll and focus of this history entry; called after its view was drawn. */
  settle(): void
}

export interface GoOptions {
  /** Replaces the current history entry. */
  readonly replace?: boolean
  /** The guards have already agreed. */
  readonly force?: boolean
  /** Starts new breadcrumbs: menus and apps. */
  readonly isRoot?: boolean
  /** Keeps the level in the breadcrumbs: the next record. Links say so with `data-sibling` on or around them. */
  readonly isSibling?: boolean
}

/** Kept with each history entry. */
export interface EntryState {
  readonly index: number
  readonly trail: readonly Crumb[]
  readonly spot: PagePosition | null
}

export function createRouter(ports: RouterPorts, isOurs: (path: string) => boolean): Router {
  const { location, history } = ports
  const current = signal(parseRoute(location.pathname + location.search + location.hash))
  const trail = signal<readonly Crumb[]>(stateOf(history).trail)
  const title = signal('')
  const lead = signal<readonly Crumb[]>([])
  const guards = createGuards()
  let index = stateOf(history).index
  let arriving: PagePosition | null = stateOf(history).spot
  let isReturning = false
  let isAllowed = false
  history.replaceState({ ...stateOf(history) }, '')

  const remember = () => history.replaceState({ index, trail: trail.peek(), spot: ports.capture() }, '')

  async function go(address: string | Route, options: GoOptions = {}): Promise<boolean> {
    const href = typeof address === 'string' ? localAddress(address, location.origin) : formatRoute(address)
    if (href === null) return leave(String(address))
    const next = parseRoute(href)
    if (!isOurs(next.path)) return leave(href)
    const isSamePlace = next.path === current.peek().path && options.replace === true
    if (!options.force && !isSamePlace && !(await guards.mayLeave())) return false
    if (options.replace) history.replaceState({ index, trail: trail.peek(), spot: null }, '', href)
    else {
      remember()
      const here = title.peek() === '' ? null : { label: title.peek(), href: formatRoute(current.peek()) }
      const before = trail.peek().length > 0 ? trail.peek() : lead.peek()
      if (!options.isSibling) trail.value = options.isRoot ? [] : followTrail(before, here, href)
      index++
      history.pushState({ index, trail: trail.peek(), spot: null }, '', href)
    }
    arriving = null
    current.value = next
    return true
  }

  async function leave(href: string): Promise<boolean> {
    if (!(await guards.mayLeave())) return false
    location.assign(href)
    return true
  }

  async function travel(): Promise<void> {
    if (isReturning) {
      isReturning = false
      return
    }
    // A link to a fragment made the entry, not the router.
    if (history.state === null) history.replaceState({ index: index + 1, trail: trail.peek(), spot: null }, '')
    const entry = stateOf(history)
    const moved = entry.index - index
    if (moved !== 0 && !isAllowed && guards.isDirty()) {
      // The browser has moved already: go back, ask, and travel again when allowed.
      isReturning = true
      history.go(-moved)
      isAllowed = await guards.mayLeave()
      if (isAllowed) history.go(moved)
      return
    }
    isAllowed = false
    index = entry.index
    trail.value = entry.trail
    arriving = entry.spot
    current.value = parseRoute(location.pathname + location.search + location.hash)
  }

  ports.addEventListener('popstate', () => void travel())
  ports.addEventListener('beforeunload', (event) => {
    if (guards.isDirty()) event.preventDefault()
  })
  ports.addEventListener('click', (event) => {
    // Every `click` event is a MouseEvent, which the type of the listener does not say.
    const link = linkOf(event as MouseEvent)
    const part = link?.getAttribute('href') ?? ''
    if (part.startsWith('#')) {
      event.preventDefault()
      ports.focus(part.slice(1))
      return
    }
    const href = link && localAddress(link.href, location.origin)
    if (!link || !href || !isOurs(parseRoute(href).path)) return
    event.preventDefault()
    void go(href, {
      isRoot: link.dataset['root'] !== undefined,
      isSibling: link.closest('[data-sibling]') !== null,
    })
  })

  return {
    route: current,
    trail,
    guards,
    title,
    lead,
    go,
    settle() {
      if (!arriving) return
      const spot = arriving
      arriving = null
      ports.restore(spot)
    },
  }
}

function stateOf({ state }: Pick<History, 'state'>): EntryState {
  // Only the router writes the state of history entries; a page opened fresh has none.
  return (state as EntryState | null) ?? { index: 0, trail: [], spot: null }
}

/** The link that a plain click follows; null for new tabs, downloads and handled events. */
function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const isElsewhere = link?.hasAttribute('download') || (link && link.target !== '' && link.target !== '_self')
  return link?.href && !isElsewhere ? link : null
}

/** Path, query and fragment of an address of this origin; null for others. */
function localAddress(address: string, origin: string): string | null {
  try {
    const url = new URL(address, origin)
    return url.origin === origin ? url.pathname + url.search + url.hash : null
  } catch {
    return null
  }
}
