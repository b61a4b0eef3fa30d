import { msg } from '../../core/i18n.ts'
import type { Command } from '../../core/registries.ts'
import { services } from '../../services.ts'
import { isDeveloper, toggleDeveloperMode } from './developer-mode.ts'

const isAdmin = () => services().session.bootstrap.user.isAdmin

const goTo = (href: string) => () => void services().router.go(href, { isRoot: true })

/** Commands under other words that administrators search for; only the palette offers them. */
export const ADMIN_COMMANDS: Readonly<Record<string, Command>> = {
  'shell.invite': {
    label: msg('Invite somebody'),
    icon: 'user-plus',
    search: msg('Add a user, new employee'),
    available: isAdmin,
    run: goTo('/web/settings/users#invite=1'),
  },
  'shell.mail': {
    label: msg('Mail settings'),
    icon: 'mail',
    search: msg('E-mail, SMTP server, mail queue'),
    available: isAdmin,
    run: goTo('/web/settings/operations'),
  },
  'shell.install': {
    label: msg('Install apps'),
    icon: 'blocks',
    search: msg('Modules, addons, uninstall'),
    available: isAdmin,
    run: goTo('/web/apps'),
  },
  'shell.developer-on': {
    label: msg('Switch developer mode on'),
    icon: 'settings-2',
    search: msg('Technical menus'),
    available: () => isAdmin() && !isDeveloper(),
    run: toggleDeveloperMode,
  },
  'shell.developer-off': {
    label: msg('Switch developer mode off'),
    icon: 'settings-2',
    search: msg('Technical menus'),
    available: () => isAdmin() && isDeveloper(),
    run: toggleDeveloperMode,
  },
}
