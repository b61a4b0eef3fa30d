import type { WireBootstrap, WireMenu } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import { changeRoute, formatRoute, parseRoute } from '../../router/codec.ts'
import { allMenus } from '../../router/menus.ts'
import type { PaletteEntry } from './palette-entries.ts'

/** The lists that take records from a file, each model once: choosing one asks for the file. */
export function importEntries({ topMenus }: Pick<WireBootstrap, 'topMenus'>): readonly PaletteEntry[] {
  const first = new Map<string, WireMenu>()
  for (const menu of allMenus(topMenus))
    if (menu.imports && !first.has(menu.model ?? '')) first.set(menu.model ?? '', menu)
  return [...first].map(([model, { name, href }]) => ({
    key: `import ${model}`,
    label: t('Import into {list}', { list: name }),
    icon: 'upload',
    search: t('Import a file, spreadsheet, CSV, Excel'),
    href: formatRoute(changeRoute(parseRoute(href ?? ''), { view_type: 'list' }, { import: '1' })),
  }))
}
