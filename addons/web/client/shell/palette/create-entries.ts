import type { WireBootstrap, WireCreates, WireMenu } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import { changeRoute, formatRoute, parseRoute } from '../../router/codec.ts'
import { allMenus } from '../../router/menus.ts'
import { prefill, takePrefilled } from '../../router/open-record.ts'
import { services } from '../../services.ts'
import type { PaletteEntry, PaletteScope } from './palette-entries.ts'

/** A kind of record the user may create, and the menu whose form does it. */
export interface Creation extends WireCreates {
  readonly model: string
  readonly href: string
}

/** The kinds of records the user may create, each once, from the first menu that offers it. */
export function creations({ topMenus }: Pick<WireBootstrap, 'topMenus'>): readonly Creation[] {
  const found = new Map<string, Creation>()
  for (const menu of allMenus(topMenus)) {
    const creation = creationOf(menu)
    const key = `${creation?.model} ${creation?.name}`
    if (creation && !found.has(key)) found.set(key, creation)
  }
  return [...found.values()]
}

function creationOf({ model, creates, href }: WireMenu): Creation | null {
  if (model === undefined || creates === undefined || href === null) return null
  return { ...creates, model, href: formatRoute(changeRoute(parseRoute(href), { view_type: 'form' })) }
}

const labelOf = ({ name }: Creation): string => t('New {noun}', { noun: name })

export const createEntries = (bootstrap: WireBootstrap): readonly PaletteEntry[] =>
  creations(bootstrap).map((creation) => ({
    key: `new ${creation.model} ${creation.href}`,
    label: labelOf(creation),
    icon: 'plus',
    search: t('Create {noun}', { noun: creation.name }),
    href: creation.href,
    ...(creation.link && { scope: creationScope(creation, creation.link) }),
  }))

/** The scope of “New quotation for …”: it asks for the customer. */
function creationScope(creation: Creation, link: NonNullable<Creation['link']>): PaletteScope {
  return {
    label: labelOf(creation),
    icon: 'plus',
    placeholder: link.label,
    groups: () => [],
    find: {
      heading: link.label,
      models: [link.model],
      toEntry: ({ model, id, name, about }) => ({
        key: `${model} ${id}`,
        label: name,
        note: about,
        icon: 'plus',
        kind: t('Create'),
        run: () => createFor(creation, link.field, [id, name]),
      }),
    },
  }
}

/** What can be created for a record: a quotation for a customer. */
export const entriesFor = (
  bootstrap: WireBootstrap,
  model: string,
  record: readonly [id: number, name: string],
): readonly PaletteEntry[] =>
  creations(bootstrap)
    .filter(({ link, model: own }) => link?.model === model && own !== model)
    // A quotation and a sales order are both an order, which begins as a quotation: the first name is enough.
    .filter(({ model: own }, at, all) => all.findIndex((other) => other.model === own) === at)
    .map((creation) => ({
      key: `new ${creation.model} ${creation.href}`,
      label: t('{command} for {name}', { command: labelOf(creation), name: record[1] }),
      icon: 'plus',
      run: () => createFor(creation, creation.link!.field, record),
    }))

async function createFor({ model, href }: Creation, field: string, record: readonly [number, string]): Promise<void> {
  prefill(model, { [field]: record })
  if (!(await services().router.go(href, { isRoot: true }))) takePrefilled(model)
}

/** The scope and the rest of the text when a whole command with its “for” was typed: “new quotation for rib”. */
export function spokenScope(entries: readonly PaletteEntry[], typed: string): readonly [PaletteScope, string] | null {
  const text = typed.toLowerCase()
  for (const { label, scope } of entries) {
    const start = `${label} ${t('for')} `.toLowerCase()
    if (scope && text.startsWith(start)) return [scope, typed.slice(start.length)]
  }
  return null
}
