import { describe, expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { createPartner, find, open, partnerForm, read, useForms, write } from './form-page.ts'

useForms()

describe('a record', () => {
  test('is editable at once and saved by Ctrl+S, with only what was changed', async () => {
    const id = await createPartner({ name: 'Quarry Lane', city: 'Leeds' })
    const { page, field, saveBar, writes, complaints } = await open(partnerForm(id))
    await field('City').fill('York')
    await expect.poll(() => saveBar.textContent()).toContain('1 unsaved change')
    await page.keyboard.press('Control+s')
    await saveBar.waitFor({ state: 'detached' })
    expect(writes().map(({ method, args }) => [method, args])).toEqual([['write', [[id], { city: 'York' }]]])
    await expect.poll(() => read('core.partner', id, ['city'])).toMatchObject({ city: 'York' })
    expect(complaints).toEqual([])
  })

  test('goes back to what it was by a second Escape, the first one leaves the field, and forth by Undo', async () => {
    const id = await createPartner({ name: 'Hollow Mill', city: 'Leeds' })
    const { page, field, saveBar, writes } = await open(partnerForm(id))
    await field('City').fill('York')
    await saveBar.waitFor()
    await page.keyboard.press('Escape')
    expect(await field('City').evaluate((input) => document.activeElement === input)).toBe(false)
    await expect.poll(() => field('City').inputValue()).toBe('York')
    await page.keyboard.press('Escape')
    await saveBar.waitFor({ state: 'detached' })
    await expect.poll(() => field('City').inputValue()).toBe('Leeds')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => field('City').inputValue()).toBe('York')
    expect(writes()).toEqual([])
  })

  test('that lacks something required is not sent; the field says so and has the focus', async () => {
    const id = await createPartner({ name: 'Needful' })
    const { page, field, writes } = await open(partnerForm(id))
    await field('Name').fill('')
    await page.keyboard.press('Control+s')
    await page.getByRole('alert').filter({ hasText: 'One value keeps this from being saved.' }).waitFor()
    await expect.poll(() => field('Name').getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => page.locator('#f-name-error').textContent()).toBe('Name is required.')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('f-name')
    expect(writes()).toEqual([])
  })

  test('that the server refuses says why at the field, on whichever page it is', async () => {
    const id = await createPartner({ name: 'Faraway' })
    const { page, field } = await open(partnerForm(id))
    await page.getByRole('tab', { name: 'Location' }).click()
    await field('Latitude').fill('123')
    await page.getByRole('tab', { name: 'Notes' }).click()
    await page.keyboard.press('Control+s')
    await page.locator('#f-latitude-error').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('f-latitude')
  })

  test('survives a reload with its unsaved changes', async () => {
    const id = await createPartner({ name: 'Keepsake', city: 'Leeds' })
    const { page, field, saveBar } = await open(partnerForm(id))
    await field('City').fill('York')
    await saveBar.waitFor()
    await page.reload()
    await page.getByText('These are your changes from before').waitFor()
    await expect.poll(() => field('City').inputValue()).toBe('York')
    await page.keyboard.press('Control+s')
    await saveBar.waitFor({ state: 'detached' })
    await page.reload()
    await page.locator('.sheet').waitFor()
    await expect.poll(() => page.getByText('These are your changes from before').count()).toBe(0)
  })

  test('is not left with unsaved changes without a word', async () => {
    const id = await createPartner({ name: 'Leaving Home', city: 'Leeds' })
    const { page, field, saveBar } = await open(partnerForm(id))
    const dialog = page.getByRole('dialog', { name: 'Save your changes?' })
    await field('City').fill('York')
    await saveBar.waitFor()
    const crumb = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').last()
    await crumb.click()
    await dialog.getByRole('button', { name: 'Keep editing' }).click()
    await expect.poll(() => field('City').inputValue()).toBe('York')
    await crumb.click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL((url) => !url.searchParams.has('id'))
    await expect.poll(() => read('core.partner', id, ['city'])).toMatchObject({ city: 'York' })
  })
})

describe('changes of others', () => {
  test('to other fields are merged by the save', async () => {
    const id = await createPartner({ name: 'Shared Ground', city: 'Leeds', zip: '1' })
    const { page, field, saveBar } = await open(partnerForm(id))
    await field('City').fill('York')
    await write('core.partner', id, { zip: '2' })
    await page.keyboard.press('Control+s')
    await saveBar.waitFor({ state: 'detached' })
    await expect.poll(() => field('Postal Code').inputValue()).toBe('2')
    await expect.poll(() => read('core.partner', id, ['city', 'zip'])).toMatchObject({ city: 'York', zip: '2' })
  })

  test('to the same fields are decided field by field', async () => {
    const id = await createPartner({ name: 'Disputed', city: 'Leeds', street: 'Old' })
    const { page, field, saveBar } = await open(partnerForm(id))
    await field('City').fill('York')
    await field('Street').fill('Mine')
    await write('core.partner', id, { city: 'Hull', street: 'Theirs' })
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog', { name: 'saved this meanwhile' })
    await dialog.getByRole('group', { name: 'City' }).getByText('was Leeds').waitFor()
    await dialog.getByRole('button', { name: 'Take all of theirs' }).click()
    await expect.poll(() => dialog.getByLabel('Theirs: Hull').isChecked()).toBe(true)
    await dialog.getByRole('group', { name: 'Street' }).getByLabel('Mine: Mine').check()
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await saveBar.waitFor({ state: 'detached' })
    await expect
      .poll(() => read('core.partner', id, ['city', 'street']))
      .toMatchObject({ city: 'Hull', street: 'Mine' })
  })
})

describe('a new record', () => {
  test('begins with its defaults and takes its own address when it is saved', async () => {
    const { page, field, saveBar, writes } = await open('/web?model=core.partner&view_type=form')
    await expect.poll(() => saveBar.textContent()).toContain('Not saved yet')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('f-name')
    await page.keyboard.type('Brand New Ltd')
    await field('City').fill('Bath')
    await page.keyboard.press('Control+s')
    await page.waitForURL(/[?&]id=\d+/)
    await page.getByRole('heading', { level: 1, name: 'Brand New Ltd' }).waitFor()
    expect(writes().map(({ method }) => method)).toEqual(['create'])
  })

  test('of an action has what the action says', async () => {
    const { page } = await open('/web/home')
    const action = await page.evaluate(() => window.__WC_BOOTSTRAP__?.apps.find(({ module }) => module === 'crm')?.href)
    const crm = await open(`${action}&view_type=form`)
    await crm.field('What the customer wants').or(crm.page.locator('#f-name')).first().fill('Shelves for the attic')
    await crm.page.keyboard.press('Control+s')
    await crm.page.waitForURL(/[?&]id=\d+/)
    const id = Number(new URL(crm.page.url()).searchParams.get('id'))
    await expect.poll(() => read('crm.lead', id, ['type'])).toMatchObject({ type: 'opportunity' })
  })

  test('that is saved before its defaults have come waits for them', async () => {
    const { page } = await open('/web/home')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/rpc', async (route) => {
      if (route.request().postDataJSON().method === 'onchange') await held
      await route.fallback()
    })
    await page.goto('/web?model=crm.lead&view_type=form')
    await page.locator('#f-name').fill('In a hurry')
    await page.keyboard.press('Control+s')
    release()
    await page.waitForURL(/[?&]id=\d+/)
    await page.unroute('**/api/rpc')
  })

  test('that is given up by Escape comes back by Undo', async () => {
    const { page, field } = await open('/web?model=core.partner&view_type=form')
    await field('City').fill('York')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByText('Changes discarded').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => field('City').inputValue()).toBe('York')
  })

  test('that is given up comes back by Undo also while the page before it is still loading', async () => {
    const { page, field } = await open('/web?model=core.partner&view_type=list')
    await page.keyboard.press('n')
    await field('City').fill('York')
    let letLoad = () => {}
    const mayLoad = new Promise<void>((resolve) => {
      letLoad = resolve
    })
    let isHeld = false
    await page.route('**/web/wc/workspace?*view_type=list*', async (route) => {
      isHeld = true
      await mayLoad
      await route.fallback()
    })
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect.poll(() => isHeld).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForURL(/view_type=form/)
    letLoad()
    await page.locator('.viewhost[aria-busy=false]').first().waitFor()
    await expect.poll(() => field('City').inputValue()).toBe('York')
    await page.unroute('**/web/wc/workspace?*view_type=list*')
  })

  test('that was not touched is left without a question', async () => {
    const { page } = await open('/web?model=core.partner&view_type=form')
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').last().click()
    await page.waitForURL(/view_type=list/)
  })
})

describe('rights', () => {
  test('actions without the required right are not offered', async () => {
    const id = await find('product.product', [['company_id', '=', null]])
    const { page } = await open(`/web?model=product.product&view_type=form&id=${id}`, 'seller')
    await page.locator('.sheet').waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'New', exact: true }).count()).toBe(0)
    await allLoaded(page)
    await page.getByRole('button', { name: 'More actions' }).click()
    await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Save as PDF'])
    await expect.poll(() => page.locator('.sheet :is(input, select, textarea):not([disabled])').count()).toBe(0)
  })

  test('a refusal is one sentence', async () => {
    const id = await find('sys.cron', [])
    const { page } = await open(`/web?model=sys.cron&view_type=form&id=${id}`, 'reader')
    await page.getByRole('heading', { name: 'You are not allowed to do this' }).waitFor()
  })
})

describe('a record of a link', () => {
  test('is created in a dialog over the form and chosen by it', async () => {
    const id = await createPartner({ name: 'Inner Circle', is_company: false })
    const { page, field, saveBar } = await open(partnerForm(id))
    await field('Company of the Contact').fill('Outer Circle Ltd')
    await page.getByRole('option', { name: 'Create and edit…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('City', { exact: true }).fill('Ulm')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Control+s')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => field('Company of the Contact').inputValue()).toBe('Outer Circle Ltd')
    await saveBar.waitFor()
    const parent = await find('core.partner', [['name', '=', 'Outer Circle Ltd']])
    await expect.poll(() => read('core.partner', parent, ['city'])).toMatchObject({ city: 'Ulm' })
  })
})

describe('a picker', () => {
  test('names an archived record where no other has the text, and takes it once it is switched on', async () => {
    const pound = await find('core.currency', [['name', '=', 'GBP']])
    await write('core.currency', pound, { active: false })
    const list = await find('product.pricelist', [['company_id', '=', null]])
    const { page, field, saveBar } = await open(`/web?model=product.pricelist&view_type=form&id=${list}`)
    await field('Currency').fill('gbp')
    await page.getByRole('option', { name: 'GBP', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Active').click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => field('Currency').inputValue()).toBe('GBP')
    await saveBar.waitFor()
    expect(await read('core.currency', pound, ['active'])).toMatchObject({ active: true })
  })
})

describe('the form', () => {
  test('has no violations, full and empty', async () => {
    const order = await find('sale.order', [
      ['state', '=', 'sent'],
      ['company_id', '=', 1],
    ])
    for (const address of [
      `/web?model=sale.order&view_type=form&id=${order}`,
      '/web?model=core.partner&view_type=form',
    ]) {
      const { page, complaints } = await open(address)
      await page.locator('.sheet[aria-busy=false]').waitFor()
      expect(await findViolations(page)).toEqual([])
      expect(complaints).toEqual([])
    }
  })

  test.each([1440, 1200, 390])('keeps its bars on screen at a width of %d, however long it is', async (width) => {
    const id = await createPartner({ name: 'Long Acre' })
    const { page, field, saveBar } = await open(partnerForm(id), 'admin', { viewport: { width, height: 420 } })
    await field('Website').fill('https://example.com')
    await saveBar.waitFor()
    for (const end of [0, 100_000]) {
      await page.evaluate((top) => {
        for (const box of [document.documentElement, ...document.querySelectorAll('main, .scroll')])
          box.scrollTo({ top })
      }, end)
      const bar = await saveBar.boundingBox()
      expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBe(420)
      expect((await page.locator('.topbar').boundingBox())?.y).toBe(0)
    }
  })

  test('is one column on a phone and never scrolls sideways', async () => {
    const order = await find('sale.order', [
      ['state', '=', 'sent'],
      ['company_id', '=', 1],
    ])
    const { page } = await open(`/web?model=sale.order&view_type=form&id=${order}`, 'admin', {
      viewport: { width: 360, height: 740 },
    })
    await page.locator('.sheet').waitFor()
    const columns = await page
      .locator('.group2')
      .first()
      .evaluate((node) => getComputedStyle(node).gridTemplateColumns)
    expect(columns.split(' ')).toHaveLength(1)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    expect(await findViolations(page)).toEqual([])
  })

  test('has the messages of the record beside it, and a way to add one', async () => {
    const order = await find('sale.order', [
      ['state', '=', 'sent'],
      ['company_id', '=', 1],
    ])
    const { page } = await open(`/web?model=sale.order&view_type=form&id=${order}`)
    // The order has passed one state, and the icon of the last state is a lock.
    const icons = () => page.locator('ol.status use').evaluateAll((uses) => uses.map((use) => use.getAttribute('href')))
    await expect
      .poll(icons)
      .toEqual(['st-done', 'st-sent', 'st-draft', 'lock'].map((icon) => expect.stringMatching(`#${icon}$`)))
    const chatter = page.getByRole('region', { name: 'Activity and messages' })
    await chatter
      .getByRole('article')
      .last()
      .getByText(/created this record|Created/)
      .waitFor()
    await chatter.getByRole('textbox', { name: 'Message' }).fill('Called them, they will sign')
    await chatter.getByRole('button', { name: 'Send' }).click()
    await chatter.getByRole('article').filter({ hasText: 'Called them, they will sign' }).waitFor()
  })
})
