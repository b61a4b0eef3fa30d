import type { Registry } from '../../model/registry.ts'

/** Widgets of the program's client: names of field types, then others. A test compares the list with the client. */
const WIDGETS: readonly string[] = [
  ...['char', 'text', 'html', 'integer', 'float', 'monetary', 'boolean', 'date', 'datetime', 'selection', 'many2one'],
  ...['one2many', 'many2many', 'binary', 'image', 'json', 'reference'],
  ...['avatar', 'badge', 'checkboxes', 'code', 'color', 'domain', 'email', 'favourite', 'handle', 'hours', 'language'],
  ...['password', 'percent', 'phone', 'priority', 'progress', 'progressbar', 'radio', 'statinfo', 'statusbar', 'tags'],
  ...['timezone', 'title', 'toggle', 'url'],
]

/** Names a view may give in `widget`: the program's, and those that the manifests of addons name. */
export const knownWidgets = ({ widgets }: Pick<Registry, 'widgets'>): ReadonlySet<string> =>
  new Set([...WIDGETS, ...widgets])
