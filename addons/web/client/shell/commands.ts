import { hotkeys } from '../core/hotkeys.ts'
import { msg, t } from '../core/i18n.ts'
import { type Command, commands } from '../core/registries.ts'
import { services } from '../services.ts'
import { showToast } from '../ui/toasts.tsx'
import { toggleSidebar } from './frame/sidebar-state.ts'
import { toggleTheme } from './frame/toggle-theme.ts'
import { openPalette } from './palette/open-palette.ts'
import { openShortcuts } from './palette/open-shortcuts.ts'

const goTo = (href: string) => () => void services().router.go(href, { isRoot: true })

/** Commands of the shell, available on every page. */
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
  'shell.copy-link': {
    label: msg('Copy the link to this page'),
    icon: 'link',
    async run() {
      await navigator.clipboard.writeText(location.href)
      showToast({ level: 'success', text: t('Link copied') })
    },
  },
  'shell.theme': { label: msg('Switch theme'), icon: 'sun-moon', run: toggleTheme },
  'shell.sidebar': {
    label: msg('Collapse or expand the sidebar'),
    icon: 'panel-left',
    keys: 'mod+b',
    run: toggleSidebar,
  },
  'shell.shortcuts': { label: msg('Keyboard shortcuts'), icon: 'keyboard', keys: '?', run: openShortcuts },
  'shell.account': { label: msg('Account and sessions'), icon: 'user', run: () => location.assign('/web/account') },
  'shell.log-out': { label: msg('Log out'), icon: 'log-out', run: () => location.assign('/web/logout') },
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
