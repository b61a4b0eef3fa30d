import { hotkeys } from '../core/hotkeys.ts'
import { msg, t } from '../core/i18n.ts'
import { type Command, commands } from '../core/registries.ts'
import { services } from '../services.ts'
import { toggleSidebar } from './frame/sidebar-state.ts'
import { openPalette } from './palette/open-palette.ts'
import { openShortcuts } from './palette/open-shortcuts.ts'

const goTo = (href: string) => () => void services().router.go(href, { isRoot: true })

/** Commands of the shell that have keys, available on every page; the palette has more. */
const COMMANDS: Readonly<Record<string, Command>> = {
  'shell.palette': {
    label: msg('Search or jump to'),
    icon: 'search',
    keys: 'mod+k',
    available: () => false,
    run: () => openPalette(),
  },
  'shell.home': { label: msg('Go to the home page'), icon: 'layout-grid', keys: 'g h', run: goTo('/web/home') },
  'shell.settings': { label: msg('Go to the settings'), icon: 'settings', keys: 'g s', run: goTo('/web/settings') },
  'shell.reload': {
    label: msg('Load this view again'),
    icon: 'refresh-cw',
    keys: 'g r',
    run: () => services().currentView.reload(),
  },
  'shell.sidebar': {
    label: msg('Collapse or expand the sidebar'),
    icon: 'panel-left',
    keys: 'mod+b',
    run: toggleSidebar,
  },
  'shell.shortcuts': { label: msg('Keyboard shortcuts'), icon: 'keyboard', keys: '?', run: openShortcuts },
}

export function registerCommands(): void {
  for (const [name, command] of Object.entries(COMMANDS)) commands.add(name, command, 90)
}

/** Registers the shortcuts of all commands, including those of addons. */
export function bindCommandKeys(): void {
  for (const [, { label, keys, group, run }] of commands.entries()) {
    if (keys === undefined) continue
    hotkeys.add({ keys, label: t(label), group: group === undefined ? t('General') : t(group), run: () => void run() })
  }
}
