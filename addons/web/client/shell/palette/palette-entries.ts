import type { WireApp, WireBootstrap, WireMenu } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import { commands } from '../../core/registries.ts'
import type { Rpc } from '../../net/rpc.ts'
import { changeRoute, formatRoute, parseRoute } from '../../router/codec.ts'
import { allMenus, appIcon, menuIcon } from '../../router/menus.ts'
import { searchNames } from '../../store/queries.ts'
import type { RecentRecord } from './recent.ts'

/** One entry of the palette: a link or a command. */
export interface PaletteEntry {
  readonly key: string
  readonly label: string
  /** Secondary text next to the label. */
  readonly note?: string
  /** Text at the end of the entry. */
  readonly kind?: string
  readonly icon: string
  /** Renders the icon as the tile of this application. */
  readonly module?: string
  readonly keys?: string
  readonly href?: string
  run?(): unknown
}

export interface PaletteGroup {
  readonly label: string
  readonly entries: readonly PaletteEntry[]
}

/**
 * Score of a label for the typed text, 0 for no match. Every word must occur; matches at the start of a word score
 * higher.
 */
export function fits(label: string, typed: string): number {
  const text = label.toLowerCase()
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (!words.every((word) => text.includes(word))) return 0
  if (text.startsWith(words[0] ?? '')) return 3
  return words.every((word) => text.split(/\s+/).some((part) => part.startsWith(word))) ? 2 : 1
}

/** Matching entries, best first. */
export const rank = (entries: readonly PaletteEntry[], typed: string): readonly PaletteEntry[] =>
  entries
    .map((entry) => ({
      entry,
      score: Math.max(fits(entry.label, typed), fits(`${entry.label} ${entry.note ?? ''}`, typed) && 1),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)

export const commandEntries = (): readonly PaletteEntry[] =>
  commands
    .entries()
    .filter(([, command]) => command.available?.() ?? true)
    .map(([name, { label, icon, keys, run }]) => ({
      key: `command ${name}`,
      label: t(label),
      icon: icon ?? 'corner-down-left',
      ...(keys !== undefined && { keys }),
      run: () => run(),
    }))

export function placeEntries({ apps, topMenus, user }: WireBootstrap): readonly PaletteEntry[] {
  const pages: readonly PaletteEntry[] = [
    { key: '/web/home', label: t('Home'), icon: 'layout-grid', href: '/web/home', keys: 'g h' },
    { key: '/web/settings', label: t('Settings'), icon: 'settings', href: '/web/settings', keys: 'g s' },
    ...(user.isAdmin ? [{ key: '/web/apps', label: t('Apps'), icon: 'blocks', href: '/web/apps' }] : []),
  ]
  const menus = topMenus.flatMap((root) => {
    return allMenus(root.children).flatMap((menu): readonly PaletteEntry[] =>
      menu.href === null
        ? []
        : [
            {
              key: `menu ${menu.id}`,
              label: menu.name,
              note: root.name,
              icon: menuIcon(menu),
              href: menu.href,
            },
          ],
    )
  })
  return [
    ...apps.map(({ module, name, href }) => ({
      key: `app ${module}`,
      label: name,
      icon: appIcon(module),
      module,
      href,
      kind: t('App'),
    })),
    ...pages,
    ...menus,
  ]
}

export const recentEntries = (recent: readonly RecentRecord[]): readonly PaletteEntry[] =>
  recent.map(({ href, name, kind, module }) => ({
    key: href,
    label: name,
    note: kind,
    icon: appIcon(module),
    module,
    href,
  }))

/** A model that menus link to, and the menu whose action opens its records. */
interface SearchedModel {
  readonly model: string
  readonly module: string
  readonly menu: WireMenu & { readonly href: string }
}

const MAX_MODELS = 12
const PER_MODEL = 4

/**
 * The models to search. The first model of every application comes first, then every second one and so on, because
 * applications list their main models before tags and stages. The current application goes first, the settings last.
 */
export function searchedModels({ apps, topMenus }: WireBootstrap, current: string | null): readonly SearchedModel[] {
  const listOf = ({ module, menuId }: WireApp) =>
    modelsOf(
      module,
      topMenus.find(({ id }) => id === menuId),
    )
  const isLast = ({ module }: WireApp) => module === 'base' && module !== current
  const lists = apps
    .filter((app) => !isLast(app))
    .toSorted((a, b) => Number(b.module === current) - Number(a.module === current))
    .map(listOf)
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const inTurns = Array.from({ length: longest }, (_, turn) => lists.flatMap((models) => models[turn] ?? []))
  const all = [...inTurns.flat(), ...apps.filter(isLast).flatMap(listOf)]
  return all
    .filter(({ model }, index) => all.findIndex((other) => other.model === model) === index)
    .slice(0, MAX_MODELS)
}

function modelsOf(module: string, root: WireMenu | undefined): readonly SearchedModel[] {
  const found = new Map<string, SearchedModel>()
  for (const menu of allMenus(root ? [root] : [])) {
    const { model, href } = menu
    if (model === undefined || href === null || found.has(model) || model.startsWith('sys.')) continue
    found.set(model, { model, module, menu: { ...menu, href } })
  }
  return [...found.values()]
}

/** Finds records of these models whose name contains the text. Models whose request fails are left out. */
export async function findRecords(
  rpc: Rpc,
  models: readonly SearchedModel[],
  typed: string,
  signal: AbortSignal,
): Promise<readonly PaletteEntry[]> {
  const found = await Promise.allSettled(
    models.map(async ({ model, module, menu }) => {
      const names = await searchNames(rpc, model, typed, [], { limit: PER_MODEL, signal })
      return names.map(
        ([id, name]): PaletteEntry => ({
          key: `${model} ${id}`,
          label: name,
          kind: menu.name,
          icon: appIcon(module),
          module,
          href: formatRoute(changeRoute(parseRoute(menu.href), { view_type: 'form', id })),
        }),
      )
    }),
  )
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
}
