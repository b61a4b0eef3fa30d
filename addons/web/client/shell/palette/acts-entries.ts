import type { Act, Acts } from '../../core/acts.ts'
import { msg, t } from '../../core/i18n.ts'
import { type Command, commands } from '../../core/registries.ts'
import { services } from '../../services.ts'
import { showToast } from '../../ui/toasts.tsx'
import { ADMIN_COMMANDS } from './admin-commands.ts'
import { type FoundRecord, type PaletteEntry, type PaletteGroup, type PaletteScope, rank } from './palette-entries.ts'

/** The actions on the selection or the record on screen. */
export const actGroup = ({ heading, list }: Acts): PaletteGroup => ({ label: heading, entries: list().map(actEntry) })

function actEntry(act: Act): PaletteEntry {
  const { name, label, icon, isDanger = false, asks } = act
  const entry = { key: `act ${name}`, label, icon, isDanger }
  return asks === undefined
    ? { ...entry, run: () => act.run() }
    : { ...entry, note: asks.label, scope: askScope(act, asks) }
}

const USERS = 'core.user'

/** The scope of an action that needs a user, such as assigning. Only possible users are offered, the current one as “Me”. */
function askScope(act: Act, { label, find }: NonNullable<Act['asks']>): PaletteScope {
  const own = services().session.bootstrap.user.id
  const entryOf = ({ id, name, about }: FoundRecord): PaletteEntry => ({
    key: `${USERS} ${id}`,
    label: id === own ? t('Me') : name,
    note: id === own ? name : about,
    icon: 'user',
    run: () => act.run([id, name]),
  })
  return {
    label: act.label,
    icon: act.icon,
    placeholder: label,
    groups: () => [],
    find: {
      heading: label,
      models: [USERS],
      async ask(text, signal) {
        const found = (await find(text, signal)).map(([id, name]) => ({ model: USERS, label: '', id, name, about: '' }))
        return found.filter((each) => each.id !== own || text === '' || rank([entryOf(each)], text).length > 0)
      },
      toEntry: entryOf,
    },
  }
}

/** Commands without keys, which only the palette offers. An addon may replace them like any other. */
const COMMANDS: Readonly<Record<string, Command>> = {
  'shell.copy-link': {
    label: msg('Copy the link to this page'),
    icon: 'link',
    async run() {
      await navigator.clipboard.writeText(location.href)
      showToast({ level: 'success', text: t('Link copied') })
    },
  },
  'shell.account': {
    label: msg('Account and sessions'),
    icon: 'user',
    run: () => location.assign('/web/settings/account'),
  },
  'shell.log-out': {
    label: msg('Sign out'),
    icon: 'log-out',
    search: msg('Log out'),
    run: () => location.assign('/web/logout'),
  },
}

export const commandEntries = (): readonly PaletteEntry[] =>
  [
    ...commands.entries(),
    ...Object.entries({ ...COMMANDS, ...ADMIN_COMMANDS }).filter(([name]) => commands.get(name) === undefined),
  ]
    .filter(([, command]) => command.available?.() ?? true)
    .map(([name, { label, icon, keys, search, run }]) => ({
      key: `command ${name}`,
      label: t(label),
      icon: icon ?? 'corner-down-left',
      ...(keys !== undefined && { keys }),
      ...(search !== undefined && { search: t(search) }),
      run: () => run(),
    }))
