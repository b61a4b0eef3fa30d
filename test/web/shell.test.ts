import { expect, test } from 'vitest'
import { deferred } from '../../addons/web/client/core/deferred.tsx'
import { allMenus, locateMenu } from '../../addons/web/client/router/menus.ts'
import { searchedModels } from '../../addons/web/client/shell/palette/found-records.ts'
import { fits, rank } from '../../addons/web/client/shell/palette/palette-entries.ts'
import { placeEntries } from '../../addons/web/client/shell/palette/places.ts'
import type { WireBootstrap, WireMenu } from '../../kernel/view/wire.ts'

const menu = (id: number, name: string, model?: string, children: readonly WireMenu[] = []): WireMenu => ({
  id,
  name,
  href: model === undefined ? null : `/web?action=${id * 10}&menu_id=${id}`,
  ...(model !== undefined && { model }),
  children,
})

const topMenus = [
  menu(1, 'Sales', undefined, [
    menu(2, 'Orders', undefined, [menu(3, 'Quotations', 'sale.order'), menu(4, 'Customers', 'core.partner')]),
  ]),
  menu(5, 'CRM', undefined, [menu(6, 'Pipeline', 'crm.lead'), menu(7, 'Quotations', 'sale.order')]),
  menu(8, 'Settings', undefined, [menu(9, 'Users', 'core.user'), menu(10, 'Log', 'sys.log')]),
]
const app = (module: string, menuId: number) => ({ module, name: module, summary: '', menuId, href: '/web' })
// The parts of a page's start that menus need.
const bootstrap = { topMenus, apps: [app('sale', 1), app('crm', 5), app('base', 8)] } as unknown as WireBootstrap

test('a page is found by its menu, else by its action, else by its records', () => {
  const at = (menuId: string, actionId: number, model: string) => {
    const found = locateMenu(bootstrap, { menuId, actionId, model })
    return [found.app?.module, found.menu?.id ?? null]
  }
  expect(at('7', 70, 'sale.order')).toEqual(['crm', 7])
  expect(at('', 60, 'crm.lead')).toEqual(['crm', 6])
  expect(at('', 0, 'core.partner')).toEqual(['sale', 4])
  expect(at('', 0, 'other.model')).toEqual([undefined, null])
})

test('records that only the administration has a menu for stay in the application they are opened from', () => {
  const opened = { menuId: '', actionId: 0, model: 'core.user' }
  const from = (module?: string) => locateMenu(bootstrap, opened, module).app?.module
  expect([from('sale'), from('base'), from()]).toEqual([undefined, 'base', 'base'])
  expect(locateMenu(bootstrap, { ...opened, menuId: '9' }, 'sale').menu?.id).toBe(9)
})

test('menus come in the order of their tree', () => {
  expect(allMenus(topMenus.slice(0, 1)).map(({ id }) => id)).toEqual([1, 2, 3, 4])
})

test('the palette searches each model once, the main ones of all apps before others, and those of the settings last', () => {
  const models = (current: string | null) => searchedModels(bootstrap, current).map(({ model }) => model)
  expect(models(null)).toEqual(['sale.order', 'crm.lead', 'core.partner', 'core.user'])
  expect(models('crm')).toEqual(['crm.lead', 'sale.order', 'core.partner', 'core.user'])
  expect(models('base')).toEqual(['core.user', 'sale.order', 'crm.lead', 'core.partner'])
})

test('two menus of one name are distinguished by the menu above them', () => {
  const report = menu(13, 'Reporting', undefined, [menu(11, 'Pipeline', 'crm.lead'), menu(12, 'Teams', 'crm.team')])
  const crm = menu(5, 'CRM', undefined, [menu(14, 'Sales', undefined, [menu(6, 'Pipeline', 'crm.lead')]), report])
  const found = placeEntries({ topMenus: [crm], apps: [], user: { isAdmin: false } } as unknown as WireBootstrap)
  expect(found.filter(({ key }) => key.startsWith('menu')).map(({ label, note }) => [label, note])).toEqual([
    ['Pipeline', 'CRM / Sales'],
    ['Pipeline', 'CRM / Reporting'],
    ['Teams', 'CRM'],
  ])
})

test('the palette puts names that begin with what is typed first', () => {
  const scores = ['Sales Orders', 'Open Sales', 'Resale', 'Board'].map((label) => fits(label, 'sal'))
  expect(scores).toEqual([3, 2, 1, 0])
  const entries = ['Resale', 'Open Sales', 'Sales'].map((label) => ({ key: label, label, icon: 'list' }))
  const found = (used: ReadonlyMap<string, number>) => rank(entries, 'sal', used).map(({ label }) => label)
  expect(found(new Map())).toEqual(['Sales', 'Open Sales', 'Resale'])
  expect(found(new Map([['Open Sales', Date.now()]]))).toEqual(['Open Sales', 'Sales', 'Resale'])
  expect(found(new Map([['Open Sales', Date.now() - 60 * 86_400_000]]))).toEqual(['Sales', 'Open Sales', 'Resale'])
  expect(fits('Sales Orders', 'ord sal')).toBe(2)
})

test('the palette finds a command by its other words', () => {
  const dark = { key: 'theme dark', label: 'Dark', icon: 'moon', search: 'Switch theme' }
  expect(rank([dark], 'theme dark', new Map())).toEqual([dark])
  expect(rank([dark], 'light', new Map())).toEqual([])
})

test('deferred code is loaded once, and again after it failed', async () => {
  let asked = 0
  const module = deferred(async () => {
    asked++
    if (asked === 1) throw new Error('lost')
    return 'here'
  })
  expect(module.value).toBeNull()
  await expect(module.load()).rejects.toThrow('lost')
  expect(await Promise.all([module.load(), module.load()])).toEqual(['here', 'here'])
  expect([module.value, asked]).toEqual(['here', 2])
})
