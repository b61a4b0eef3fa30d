/**
 * Name of the picture → where it is taken: an address, or the names of an application and its menu. `view` is another kind of view
 * there, `record` opens the record at that place of the list; `act` does what a person would do before the picture.
 */
export const SCREENS = {
  home: { path: '/web/home' },
  apps: { path: '/web/apps' },
  settings: { path: '/web/settings' },
  account: { path: '/web/settings/account' },
  logs: { path: '/web/settings/app-logs' },
  translations: { path: '/web/settings/translations' },
  'app-settings': { path: '/web/settings/app' },
  missing: { path: '/web?model=core.partner&view_type=form&id=999999' },
  list: { menu: ['Sales', 'Sales Orders'] },
  'list-selected': {
    menu: ['Sales', 'Sales Orders'],
    needsRecords: true,
    act: async (page) => {
      for (const row of [1, 3, 4]) await page.locator('[role=row] input.check').nth(row).check()
    },
  },
  'list-grouped': { menu: ['Sales', 'Sales Orders'], hash: '#group=state' },
  'list-nothing': { menu: ['Sales', 'Sales Orders'], query: { q: 'zzz' } },
  'list-edited': {
    menu: ['Project', 'All Tasks'],
    view: 'list',
    query: { filter: '' },
    isWide: true,
    needsRecords: true,
    act: async (page) => {
      // A click opens the record, so the keys lead to the cell.
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'F2']) await page.keyboard.press(key)
    },
  },
  filters: {
    menu: ['Sales', 'Sales Orders'],
    act: (page) => page.getByRole('button', { name: 'Filter', exact: true }).click(),
  },
  columns: {
    menu: ['Sales', 'Sales Orders'],
    isWide: true,
    needsRecords: true,
    act: (page) => page.getByRole('button', { name: 'Choose columns' }).click(),
  },
  contacts: { menu: ['Contacts', 'All Contacts'] },
  products: { menu: ['Products', 'Products'] },
  form: { menu: ['Sales', 'Sales Orders'], record: 3 },
  'form-edited': {
    menu: ['Sales', 'Quotations'],
    query: { filter: '' },
    record: 1,
    act: async (page) => {
      await page.getByLabel('Customer Reference').fill('Warehouse fit-out, phase 2')
      await page.keyboard.press('Tab')
    },
  },
  'form-new': { menu: ['Sales', 'Quotations'], view: 'form' },
  'form-all-records': {
    menu: ['Sales', 'Quotations'],
    view: 'form',
    needsRecords: true,
    act: async (page) => {
      await page.locator('.sheet').getByLabel('Customer', { exact: true }).first().click()
      await page.getByRole('option', { name: 'Show all…' }).click()
      await page.locator('.all-records [role=option]').nth(20).waitFor()
    },
  },
  'form-languages': {
    menu: ['Products', 'Products'],
    record: 2,
    act: (page) => page.getByRole('button', { name: 'Name in all languages' }).click(),
  },
  'form-sorted-lines': {
    menu: ['Sales', 'Quotations'],
    query: { filter: '' },
    record: 1,
    isWide: true,
    act: (page) => page.getByRole('columnheader', { name: 'Product' }).getByRole('button').click(),
  },
  partner: { menu: ['Contacts', 'All Contacts'], record: 4 },
  product: { menu: ['Products', 'Products'], record: 2 },
  lead: { menu: ['CRM', 'Pipeline'], record: 1 },
  task: { menu: ['Project', 'All Tasks'], query: { filter: '' }, record: 2 },
  users: { path: '/web/settings/users' },
  user: { path: '/web/settings/users#user=1' },
  access: { path: '/web/settings/access' },
  keys: { path: '/web/settings/keys' },
  'keys-new': { path: '/web/settings/keys', act: (page) => page.keyboard.press('n') },
  operations: { path: '/web/settings/operations' },
  audit: { menu: ['Settings', 'Audit trail'] },
  kanban: { menu: ['CRM', 'Pipeline'] },
  'kanban-new': {
    menu: ['CRM', 'Pipeline'],
    act: (page) => page.keyboard.press('n'),
  },
  tasks: { menu: ['Project', 'All Tasks'], query: { filter: '' }, view: 'kanban' },
  gantt: { menu: ['Project', 'All Tasks'], view: 'gantt', query: { filter: '' } },
  calendar: { menu: ['Project', 'All Tasks'], view: 'calendar', query: { filter: '' } },
  'calendar-week': { menu: ['Project', 'All Tasks'], view: 'calendar', query: { filter: '' }, hash: '#scale=week' },
  'calendar-agenda': { menu: ['CRM', 'My Activities'], view: 'calendar', query: { filter: '' }, hash: '#scale=agenda' },
  map: { menu: ['Contacts', 'All Contacts'], view: 'map' },
  graph: { menu: ['Sales', 'Sales Orders'], view: 'graph' },
  pivot: { menu: ['Sales', 'Sales Orders'], view: 'pivot' },
  cohort: { menu: ['CRM', 'Closing Time'] },
  export: {
    menu: ['Contacts', 'All Contacts'],
    view: 'list',
    isWide: true,
    needsRecords: true,
    act: (page) => page.getByRole('button', { name: 'Export' }).click(),
  },
  import: {
    menu: ['Contacts', 'All Contacts'],
    view: 'list',
    act: async (page) => {
      await page.getByRole('button', { name: 'Import' }).click()
      const buffer = Buffer.from(
        'Name,City,Country,Customer Since\nHolm Boats,Kiel,Germany,2026-02-01\nRiva,Como,Italia,x\n',
      )
      await page.getByLabel('File to import').setInputFiles({ name: 'contacts.csv', mimeType: 'text/csv', buffer })
      await page.locator('.maptbl tbody tr').first().waitFor()
    },
  },
  dashboard: { path: '/web?model=sys.dashboard&view_type=form&id=1#period=year' },
  'dashboard-edit': {
    path: '/web?model=sys.dashboard&view_type=form&id=1#period=year',
    act: (page) => page.getByRole('button', { name: 'Edit', exact: true }).click(),
  },
  palette: { menu: ['Sales', 'Sales Orders'], act: (page) => page.keyboard.press('Control+k') },
  'palette-found': {
    menu: ['Sales', 'Sales Orders'],
    needsRecords: true,
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('des')
      await page.waitForTimeout(600)
    },
  },
  shortcuts: { menu: ['Sales', 'Sales Orders'], act: (page) => page.keyboard.press('?') },
  'user-menu': {
    menu: ['Sales', 'Sales Orders'],
    isWide: true,
    act: (page) => page.locator('.side-foot button').click(),
  },
  'phone-menu': {
    menu: ['Sales', 'Sales Orders'],
    isNarrow: true,
    act: (page) => page.locator('#open-menu').click(),
  },
}
