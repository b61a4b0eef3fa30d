import type { Model } from '../model/registry.ts'
import { isElement } from './arch/arch.ts'
import type { ViewTables } from './tables.ts'

/** The fields that lists of a model are sorted by: first those of their default orders, then columns that they show, then columns that a user may switch on. */
export function listedFields(tables: ViewTables, { name }: Model): readonly string[] {
  const lists = [...tables.views.values()].filter(
    ({ model, type, mode }) => model === name && type === 'list' && mode === 'primary',
  )
  const roots =
    lists.length === 0 ? [tables.resolve(name, 'list')] : lists.map(({ id }) => tables.resolve(name, 'list', id))
  const first = roots.map((list) => list?.root.attrs['default_order']?.split(/[ ,]/)[0] ?? '')
  const columns = roots
    .flatMap((list) => list?.root.children ?? [])
    .filter(isElement)
    .filter(({ tag, attrs }) => tag === 'field' && attrs['column_invisible'] === undefined)
  const isHidden = ({ attrs }: (typeof columns)[number]) => attrs['optional'] === 'hide'
  const shownFirst = [...columns.filter((column) => !isHidden(column)), ...columns.filter(isHidden)]
  return [...new Set([...first, ...shownFirst.map(({ attrs }) => attrs['name'] ?? '')])].filter((each) => each !== '')
}
