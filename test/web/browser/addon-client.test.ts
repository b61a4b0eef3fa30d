import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledAddons } from '../../../addons/index.ts'
import libraryAddon from '../../support/addons/library/addon.ts'
import libraryExtra from '../../support/addons/library_extra/addon.ts'
import { openModules } from '../../support/modules.ts'
import { findViolations } from './find-violations.ts'
import { useClient } from './fixture.ts'

const manifest = (name: string, more: string) =>
  `import { defineAddon } from '#kernel'
   export default defineAddon({ name: '${name}', version: '1.0', summary: '${name}', application: true, depends: ['base'], ${more} })`

/** A garden with a widget, a view, a command and styles; and one called weeds, whose client code fails in every way it can. */
const FILES = {
  'garden/models/garden-plant.ts': `
    import { defineModel, field } from '#kernel'
    export const gardenPlant = defineModel('garden.plant', {
      label: 'Plant',
      fields: { name: field.char({ required: true }), height: field.integer(), thorn: field.char(),
        latitude: field.float(), longitude: field.float() },
    })`,
  'garden/security/access.csv':
    'id,model,group,read,write,create,unlink\naccess_plant,garden.plant,base.group_user,1,1,1,1\n',
  'garden/data/garden.plant.csv': 'id,name,height,latitude,longitude\noak,Oak,2000,48,11\nfern,Fern,40,48,12\n',
  'garden/views/plant.xml': `<data>
    <view id="plant_list" name="Plants" model="garden.plant" type="list"><list><field name="name"/><field name="height" widget="height"/></list></view>
    <view id="plant_form" name="Plant" model="garden.plant" type="form"><form><sheet><group><field name="name"/><field name="thorn" widget="thorn"/></group></sheet></form></view>
    <action id="action_plants" name="Plants" model="garden.plant" view_modes="list,map,form"/>
    <menu id="menu_garden" name="Garden" action="action_plants"/></data>`,
  'garden/addon.ts': `import { gardenPlant } from './models/garden-plant.ts'
    import plants from './data/garden.plant.csv'
    import access from './security/access.csv'
    import views from './views/plant.xml'
    ${manifest(
      'garden',
      `models: [gardenPlant], widgets: ['height', 'thorn'], data: [{ name: 'security/access.csv', text: access },
        { name: 'data/garden.plant.csv', text: plants }, { name: 'views/plant.xml', text: views }],`,
    )}`,
  'garden/client/index.ts': `
    import { addCatalogue, commands, fields, msg, showToast, t, views } from '#sdk'
    import { Height } from './height.tsx'
    import './garden.css'
    fields.add('height', { Widget: Height, numeric: true })
    views.add('map', { load: () => import('./beds.tsx') })
    commands.add('garden.water', { label: msg('Water the plants'), keys: 'g w', run: () => showToast({ level: 'success', text: t('Watered') }) })
    commands.add('shell.copy-link', { label: msg('Paint the fence'), run: () => undefined })
    addCatalogue('de', { 'Water the plants': 'Pflanzen gießen' })`,
  'garden/client/height.tsx': `
    import { useState } from 'preact/hooks'
    import type { FieldProps } from '#sdk'
    export function Height({ value }: FieldProps) {
      const [isMetric, setMetric] = useState(false)
      return <button type="button" class="garden-height" onClick={() => setMetric(!isMetric)}>{isMetric ? \`\${Number(value) / 100} m\` : \`\${value} cm\`}</button>
    }`,
  'garden/client/beds.tsx': `
    import { Icon, ViewFrame, type ViewProps } from '#sdk'
    import { Combobox } from '#sdk-edit'
    export const View = (props: ViewProps) => (
      <ViewFrame {...props}><ul aria-label="Beds">{props.workspace.records.map((plant) => <li key={plant.id}><Icon name="search" />{String(plant['name'])}</li>)}</ul>
        <p>{typeof Combobox}</p></ViewFrame>
    )`,
  'garden/client/garden.css': '@layer views { .garden-height { color: rgb(1, 128, 3) } }',
  'weeds/addon.ts': manifest('weeds', 'models: [],'),
  'weeds/client/index.ts': `
    import { fields } from '#sdk'
    fields.add('thorn', { Widget() { throw new Error('a thorn') } })
    throw new Error('weeds everywhere')`,
} as const

const folder = mkdtempSync(join(tmpdir(), 'modulus-client-'))
for (const [name, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}
afterAll(() => rmSync(folder, { recursive: true }))

const client = useClient({
  SVC_ADDONS_PATH: [folder, fileURLToPath(new URL('../../support/addons', import.meta.url))].join(),
  SVC_DATA_DIR: join(folder, '.data'),
})

beforeAll(() =>
  client.modules().asSystem(async (env) => {
    const users = await env.model('core.user').search([['login', '=', 'seller']])
    await env.model('core.user').write(users, { lang: 'de-DE' })
  }),
)

const settled = (page: Page) => page.locator('.viewhost[aria-busy=false]').first().waitFor()
const card = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
const addonScripts = (page: Page) =>
  page
    .locator('script[type=module]')
    .evaluateAll((all) =>
      all.map((each) => (each as HTMLScriptElement).src).filter((src) => /(garden|weeds)-/.test(src)),
    )

/** Asks for an install and agrees to what it does. */
async function agree(page: Page, title: string): Promise<void> {
  await card(page, title).getByRole('button', { name: 'Install' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Install', exact: true }).click()
}

async function install(page: Page, title: string): Promise<void> {
  await page.goto('/web/apps')
  await agree(page, title)
  await card(page, title).getByText('Installed').waitFor()
}

test('a tenth kind of view has a tab, follows what others do, and can be pinned to a dashboard', async () => {
  const installer = await client.signIn()
  await installer.page.goto('/web/apps')
  await installer.page.getByRole('button', { name: 'All', exact: true }).click()
  await agree(installer.page, 'Library Extra')
  // The page is loaded again with the client code and then lists applications only; Library, which the module needs, is one.
  await card(installer.page, 'Library').getByText('Installed').waitFor()
  await installer.release()
  const library = openModules(client.modules().services.db, [...bundledAddons, libraryAddon, libraryExtra])
  const { access } = await library.holder.latest()
  const review = (title: string, rating: number) =>
    library.asSystem(async (env) => {
      const author_id = await env.model('library.author').create({ name: `Author of ${title}` })
      const [currency_id] = await env.model('core.currency').search([], { limit: 1 })
      const book_id = await env.model('library.book').create({ title, author_id, currency_id: currency_id! })
      await env.model('library.review').create({ book_id, rating })
    })
  await review('Emma', 4)
  await review('Solaris', 4.5)
  const dashboard = await library.asSystem(async (env) => {
    const [reader] = await env.model('core.user').search([['login', '=', 'reader']])
    const group_ids = [[4, access.groupIdByXmlid.get('library.group_user')!]] as const
    await env.model('core.user').write([reader!], { group_ids })
    const tile = { name: 'Best books', view_type: 'ranking', model: 'library.review', w: 6, h: 4 }
    return env.model('sys.dashboard').create({ name: 'Books', user_id: reader!, tile_ids: [[0, 0, tile]] })
  })

  const { page, go, follow, complaints, release } = await client.signIn('reader')
  await go('/web?model=library.review&view_type=list')
  await page.getByRole('link', { name: 'Ranking' }).click()
  const ranked = page.getByRole('list', { name: 'Ranking' }).getByRole('listitem')
  await expect.poll(() => ranked.allTextContents()).toEqual(['Solaris4.5', 'Emma4'])
  expect(page.url()).toContain('view_type=ranking')
  await review('Persuasion', 5)
  await expect.poll(() => ranked.allTextContents()).toEqual(['Persuasion5', 'Solaris4.5', 'Emma4'])
  expect(await findViolations(page)).toEqual([])
  await page.reload()
  await expect.poll(() => ranked.allTextContents()).toEqual(['Persuasion5', 'Solaris4.5', 'Emma4'])

  await follow(`/web?model=sys.dashboard&view_type=form&id=${dashboard}`)
  await page.getByRole('region', { name: 'Best books' }).getByRole('link', { name: 'Solaris' }).click()
  await page.waitForURL(/model=library\.review.*view_type=form/)
  expect(complaints).toEqual([])
  await release()
})

test('client code of an addon comes with its module, while the service runs, and nothing of it before', async () => {
  const { page, go, complaints, release } = await client.signIn()
  await go('/web?model=core.partner&view_type=list')
  await expect.poll(() => addonScripts(page)).toEqual([])

  await install(page, 'Garden')
  await expect.poll(() => addonScripts(page)).toHaveLength(1)
  const app = page.getByRole('button', { name: /Switch app/ })
  await app.click()
  await page.getByRole('menuitem', { name: 'Garden' }).click()
  await settled(page)

  const height = page.getByRole('button', { name: '2000 cm' })
  await expect.poll(() => height.evaluate((button) => getComputedStyle(button).color)).toBe('rgb(1, 128, 3)')
  await height.click()
  await page.getByRole('button', { name: '20 m' }).waitFor()

  await page.getByRole('link', { name: 'Map' }).click()
  const beds = page.getByRole('list', { name: 'Beds' }).getByRole('listitem')
  await expect.poll(() => beds.allTextContents()).toEqual(['Oak', 'Fern'])
  await page.getByText('function', { exact: true }).waitFor()

  await page.keyboard.press('Control+k')
  const palette = page.getByRole('combobox', { name: 'Search or run a command' })
  await palette.fill('> water')
  await page.keyboard.press('Enter')
  await page.getByText('Watered').waitFor()
  await page.keyboard.press('Control+k')
  await palette.fill('> fence')
  await page.getByRole('option', { name: 'Paint the fence' }).waitFor()
  expect(complaints).toEqual([])
  await release()
})

test('is compressed, cached for good by the browser, and runs under the strict content policy', async () => {
  const { page, go, release } = await client.signIn()
  const answered = page.waitForResponse(/\/web\/static\/garden-[0-9a-f]{16}\.js$/)
  const document = page.waitForResponse(/\/web\?/)
  await go('/web?model=core.partner&view_type=list')
  const headers = await (await answered).allHeaders()
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': expect.stringMatching(/^(br|gzip)$/),
  })
  expect((await (await document).allHeaders())['content-security-policy']).toMatch(
    /script-src 'nonce-[^']+' 'strict-dynamic';/,
  )
  await release()
})

test('code that fails takes neither the page down nor what other addons bring', async () => {
  const { page, go, complaints, release } = await client.signIn()
  await install(page, 'Weeds')
  await go('/web?model=garden.plant&view_type=list')
  await page.getByRole('button', { name: '2000 cm' }).waitFor()
  expect(new Set(complaints)).toEqual(new Set(['uncaught: weeds everywhere']))

  await page.getByRole('link', { name: 'Oak' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Something went wrong' })
  await alert.waitFor()
  await page.goBack()
  await page.getByRole('button', { name: '2000 cm' }).waitFor()
  await expect.poll(() => alert.count()).toBe(0)
  await release()
})

test('it speaks the language of the user', async () => {
  const { page, go, release } = await client.signIn('seller')
  await go('/web/home')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('> gieß')
  await page.getByRole('option', { name: 'Pflanzen gießen' }).waitFor()
  await release()
})

test('an uninstall takes it away', async () => {
  const { page, release } = await client.signIn()
  await page.goto('/web/apps')
  await card(page, 'Garden').getByRole('button', { name: 'Actions for Garden' }).click()
  await page.getByRole('menuitem', { name: 'Uninstall…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Uninstall Garden' })
  await expect.poll(() => dialog.textContent()).toMatch(/Plant: set aside\d+ records/)
  await dialog.getByLabel('Type garden to confirm').fill('garden')
  await dialog.getByRole('button', { name: 'Uninstall' }).click()
  await card(page, 'Garden').getByRole('button', { name: 'Install' }).waitFor()
  await expect.poll(() => addonScripts(page)).toEqual([expect.stringContaining('/weeds-')])
  await page.getByRole('button', { name: /Switch app/ }).click()
  await page.getByRole('menuitem', { name: 'Contacts' }).waitFor()
  await expect.poll(() => page.getByRole('menuitem', { name: 'Garden' }).count()).toBe(0)
  await release()
})
