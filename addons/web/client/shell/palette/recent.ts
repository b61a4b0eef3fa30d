import { effect, signal } from '@preact/signals'
import { formatRoute } from '../../router/codec.ts'
import { menuLocation } from '../../router/menus.ts'
import { services } from '../../services.ts'

/** A record the user opened in this browser. */
export interface RecentRecord {
  readonly href: string
  readonly model: string
  readonly id: number
  readonly name: string
  /** Name of its action, shown as its kind; empty if it was opened in another language. */
  readonly kind: string
  /** Language of `kind`. */
  readonly lang: string
  readonly module: string
  /** Time as an ISO string. */
  readonly at: string
}

const MAX_RECENT = 12

export const recentRecords = signal<readonly RecentRecord[]>([])

const keyOf = (): string => `modulus.recent.${services().session.bootstrap.user.id}`

/**
 * Remembers every record that is opened. The list is kept only in this browser, since it contains names that other
 * users may not see.
 */
export function followRecent(): void {
  recentRecords.value = recall()
  effect(() => {
    const shown = services().currentView.shown.value
    const { app } = menuLocation().value
    if (shown?.kind !== 'view' || shown.workspace.viewType !== 'form' || shown.workspace.recordId === 0) return
    const { workspace, route } = shown
    const name = workspace.breadcrumbs.at(-1)?.label ?? workspace.title
    const { action, menu_id, model, id } = route.params
    const params = { action, menu_id, model, id, view_type: 'form' }
    const known = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined))
    const href = formatRoute({ path: '/web', params: known, state: {}, extra: {} })
    remember({
      href,
      model: workspace.model,
      id: workspace.recordId,
      name,
      kind: workspace.title,
      lang: languageOf(),
      module: app?.module ?? 'base',
      at: new Date().toISOString(),
    })
  })
}

function remember(record: RecentRecord): void {
  const others = recentRecords.peek().filter(({ href }) => href !== record.href)
  recentRecords.value = [record, ...others].slice(0, MAX_RECENT)
  try {
    localStorage.setItem(keyOf(), JSON.stringify(recentRecords.peek()))
  } catch {
    // Storage may be disabled; the list then lasts until the page is reloaded.
  }
}

function recall(): readonly RecentRecord[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf()) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isRecent).map(inLanguage) : []
  } catch {
    return []
  }
}

const languageOf = (): string => services().session.bootstrap.user.lang

/** The kind is a word of the language the record was opened in, and left out in another one. */
const inLanguage = (record: RecentRecord): RecentRecord =>
  record.lang === languageOf() ? record : { ...record, kind: '' }

const isRecent = (entry: unknown): entry is RecentRecord =>
  typeof entry === 'object' &&
  entry !== null &&
  ['href', 'model', 'name', 'kind', 'lang', 'module', 'at'].every((key) => typeof Object(entry)[key] === 'string') &&
  typeof Object(entry)['id'] === 'number'
