import { afterEach, describe, expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { type SignedIn, useClient } from './fixture.ts'

const client = useClient()
const opened: SignedIn[] = []

afterEach(async () => {
  for (const signedIn of opened.splice(0)) await signedIn.handOn()
})

async function open(address: string, options: Parameters<typeof client.signIn>[1] = {}) {
  const signedIn = await client.signIn('admin', options)
  opened.push(signedIn)
  signedIn.page.on('dialog', (dialog) => void dialog.accept())
  await signedIn.go(address)
  const { page } = signedIn
  await page.locator('.sheet[aria-busy="false"], .sheet:not([aria-busy])').first().waitFor()
  return { ...signedIn, page, sheet: page.locator('.sheet') }
}

type Model = 'sale.order' | 'crm.lead' | 'core.partner' | 'project.task'

const OWN_COMPANY = ['company_id', '=', 1]

const find = (model: Model, domain: unknown[]): Promise<number> =>
  client.modules().asSystem(async (env) => {
    const [id] = await env.model(model as 'sale.order').search(domain as never, { limit: 1 })
    if (id === undefined) throw new Error(`no ${model} like ${JSON.stringify(domain)}`)
    return id as number
  })

const createPartner = (values: object) =>
  client.modules().asSystem((env) => env.model('core.partner').create(values as never)) as Promise<number>

const form = (model: Model, id?: number) => `/web?model=${model}&view_type=form${id === undefined ? '' : `&id=${id}`}`
const PHONE = { viewport: { width: 390, height: 844 } }

describe('the title of a record', () => {
  test('says what it is, whose it is and its number, with what belongs to it beside', async () => {
    const id = await find('sale.order', [
      ['state', '=', 'draft'],
      ['company_id', '=', 1],
    ])
    const [order] = await client.modules().asSystem((env) => env.model('sale.order').read([id], ['name', 'partner_id']))
    await client
      .modules()
      .asSystem((env) =>
        env.model('sale.order').write([id], { date_order: '2026-01-01T10:00:00Z', validity_date: '2031-12-14' }),
      )
    const { page, sheet, complaints } = await open(form('sale.order', id))
    await expect.poll(() => sheet.locator('.kicker').textContent()).toMatch(/^Quotation, valid until 14 Dec 2031$/)
    expect(((await sheet.locator('.title').textContent()) ?? '').trim().replaceAll(/\s+/g, ' ')).toBe(
      `${order!.partner_id[1]} ${order!.name}`,
    )
    // One label per control: the title is plain text.
    await expect.poll(() => sheet.getByLabel('Customer', { exact: true }).count()).toBe(1)
    await expect.poll(() => page.getByRole('navigation', { name: 'Related records' }).isVisible()).toBe(true)
    expect(await findViolations(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('shows the current stage on a phone, where the bar of stages scrolls', async () => {
    const id = await find('sale.order', [['state', '=', 'done'], OWN_COMPANY])
    const { page } = await open(form('sale.order', id), PHONE)
    const right = () => page.locator('.status [aria-current]').evaluate((step) => step.getBoundingClientRect().right)
    await expect.poll(right).toBeLessThanOrEqual(390)
  })

  test('has all stages in sight beside the messages, also with the longer words of German', async () => {
    const setLanguage = (lang: string) =>
      client.modules().asSystem(async (env) => {
        const users = env.model('core.user')
        await users.write(await users.search([['login', '=', 'admin']]), { lang })
      })
    await setLanguage('de')
    try {
      const id = await find('project.task', [['stage_id.name', '=', 'Planned']])
      // By its locale a page of its own: what others are handed on speaks English.
      const { page } = await open(form('project.task', id), { locale: 'de-DE' })
      const last = page.locator('.status li').last()
      await expect.poll(() => last.textContent()).toBe('Abgebrochen')
      const hidden = () => page.locator('.actbar .end').evaluate((end) => end.scrollWidth - end.clientWidth)
      await expect.poll(hidden).toBe(0)
      const menu = page.getByRole('button', { name: 'Weitere Aktionen' })
      const isWhole = (button: Element) =>
        button.getBoundingClientRect().right <= button.parentElement!.getBoundingClientRect().right
      expect(await menu.first().evaluate(isWhole)).toBe(true)
    } finally {
      await setLanguage('en')
    }
  })

  test('has buttons beside it that hold their text on a phone', async () => {
    const { page } = await open(form('sale.order', await find('sale.order', [OWN_COMPANY])), PHONE)
    const buttons = page.locator('.smart button')
    await buttons.first().waitFor()
    const isHeld = (all: Element[]) => all.every((each) => each.scrollHeight <= each.clientHeight)
    await expect.poll(() => buttons.evaluateAll(isHeld)).toBe(true)
  })

  test('is wrapped on a phone rather than cut, and stays one line of text', async () => {
    const id = await find('crm.lead', [])
    const long = 'Ergonomics consulting and chairs for the whole second floor of the old harbour office'
    await client.modules().asSystem((env) => env.model('crm.lead').write([id], { name: long }))
    const { page, sheet, complaints } = await open(form('crm.lead', id), PHONE)
    const title = sheet.locator('.title textarea')
    await expect.poll(() => title.inputValue()).toBe(long)
    expect(
      await title.evaluate((box) => [box.scrollHeight - box.clientHeight, box.scrollWidth - box.clientWidth]),
    ).toEqual([0, 0])
    await title.press('End')
    await title.press('Enter')
    await title.pressSequentially('!')
    await expect.poll(() => title.inputValue()).toBe(`${long}!`)
    await page.getByRole('button', { name: 'Discard' }).click()
    expect(complaints).toEqual([])
  })
})

describe('what one may do with a record', () => {
  test('comes with its first save: a new one offers no actions', async () => {
    const { page, sheet } = await open(form('sale.order'))
    await expect.poll(() => sheet.locator('.title').textContent()).toMatch(/New Quotation/)
    for (const name of ['Confirm', 'Mark as Sent', 'Cancel Order', 'Duplicate', 'More actions'])
      await expect.poll(() => page.getByRole('button', { name, exact: true }).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).count()).toBe(1)
  })

  test('has Duplicate in its menu, also where the model has its own', async () => {
    const id = await find('sale.order', [OWN_COMPANY, ['state', '=', 'draft']])
    const { page } = await open(form('sale.order', id))
    await expect.poll(() => page.getByRole('button', { name: 'Confirm', exact: true }).count()).toBe(1)
    await expect.poll(() => page.getByRole('button', { name: 'Duplicate', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate', exact: true }).click()
    await page.waitForURL((url) => !url.search.includes(`id=${id}`) && url.search.includes('id='))
  })

  test('is not said to be behind it when it was cancelled', async () => {
    const id = await find('sale.order', [OWN_COMPANY, ['state', '=', 'cancel']])
    const { page } = await open(form('sale.order', id))
    const steps = page.getByRole('list', { name: 'Status' })
    await expect.poll(() => steps.locator('[aria-current="step"]').textContent()).toBe('Cancelled')
    await expect.poll(() => steps.locator('.done').count()).toBe(0)
  })
})

describe('the fields of a record', () => {
  test('name languages, and offer those there are texts in', async () => {
    const id = await createPartner({ name: 'Polyglot', lang: 'de' })
    const other = await createPartner({ name: 'Carioca', lang: 'pt-BR' })
    const { page, sheet, go } = await open(form('core.partner', id))
    const language = sheet.getByLabel('Language', { exact: true })
    const chosen = () => language.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text)
    await expect.poll(() => chosen()).toBe('German')
    await expect.poll(() => language.locator('option').allInnerTexts()).toEqual(['', 'English', 'German'])
    await go(form('core.partner', other))
    await expect.poll(chosen).toBe('Brazilian Portuguese')
    await expect.poll(() => page.url()).toContain(`id=${other}`)
  })

  test('lead to addresses from where they are typed', async () => {
    const id = await createPartner({
      name: 'Reachable',
      email: 'ada@example.com',
      phone: '+49 30 1234',
      website: 'example.com',
    })
    const { sheet } = await open(form('core.partner', id))
    const href = (name: string) => sheet.getByRole('link', { name }).getAttribute('href')
    await expect.poll(() => href('Write to ada@example.com')).toBe('mailto:ada@example.com')
    await expect.poll(() => href('Call +49 30 1234')).toBe('tel:+49301234')
    await expect.poll(() => href('Open example.com')).toBe('https://example.com/')
    await sheet.getByLabel('E-mail', { exact: true }).fill('nobody')
    await expect.poll(() => sheet.getByRole('link', { name: /^Write to/ }).count()).toBe(0)
  })

  test('have a star only where one could leave them empty', async () => {
    const { sheet } = await open(form('crm.lead'))
    await expect.poll(() => sheet.locator('[data-field="priority"] .req').count()).toBe(0)
    await expect.poll(() => sheet.locator('[data-field="date_open"] .req').count()).toBe(1)
  })

  test('that link to a record have the same arrow, whether they may be changed or not', async () => {
    const id = await find('sale.order', [OWN_COMPANY, ['state', '=', 'sale']])
    const { sheet } = await open(form('sale.order', id))
    const arrowOf = (name: string) =>
      sheet
        .locator(`.kv[data-field="${name}"]`)
        .getByRole('link', { name: /^Open / })
        .boundingBox()
    const [fixed, free] = [await arrowOf('currency_id'), await arrowOf('stage_id')]
    expect(fixed?.width).toBe(free?.width)
    await expect.poll(() => sheet.locator('.kv a.link').count()).toBe(0)
  })
})

describe('the lines of an order', () => {
  test('fit beside the messages, and no amount is cut', async () => {
    const id = await find('sale.order', [OWN_COMPANY, ['line_ids.quantity', '>', 1]])
    const { page, sheet } = await open(form('sale.order', id), { viewport: { width: 1440, height: 900 } })
    await expect.poll(() => sheet.locator('.lines [data-field="subtotal"]').first().textContent()).toMatch(/\d/)
    const room = await page.locator('.lines > .scroll-x').evaluate((box) => box.scrollWidth - box.clientWidth)
    expect(room).toBe(0)
    const cut = await sheet
      .locator('.lines .gc.num')
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
      )
    expect(cut).toEqual([])
    const [product, unit] = await Promise.all(
      ['product_id', 'uom_id'].map((name) => sheet.locator(`.lines [data-field="${name}"]`).first().boundingBox()),
    )
    expect(product!.width).toBeGreaterThan(unit!.width * 2)
  })
})

describe('a message', () => {
  test('that says what has changed keeps clear of its time, in a clock of twelve hours too', async () => {
    const id = await createPartner({ name: 'Long Address', email: 'long.address@northern-loom-works.example' })
    await client
      .modules()
      .asSystem((env) => env.model('core.partner').write([id], { email: 'office@northern.example', phone: '1' }))
    const { page } = await open(form('core.partner', id), { locale: 'en-US' })
    const entry = page.locator('.msg.log').filter({ hasText: 'office@northern.example' })
    await entry.waitFor()
    const crossed = await entry.evaluate((element) => {
      const time = element.querySelector('time')!.getBoundingClientRect()
      return [...element.querySelectorAll('del, ins')].filter((part) =>
        [...part.getClientRects()].some(
          (box) => box.right > time.left && box.left < time.right && box.bottom > time.top && box.top < time.bottom,
        ),
      ).length
    })
    expect(crossed).toBe(0)
    expect(await entry.locator('time').textContent()).toMatch(/ [AP]M$/)
  })

  test('is formatted in the editor, names people by a button, and is found again without the changes', async () => {
    const id = await createPartner({ name: 'Lovage' })
    await client.modules().asSystem((env) => env.model('core.partner').write([id], { email: 'lovage@example.com' }))
    const { page, complaints } = await open(form('core.partner', id))
    const chatter = page.getByRole('region', { name: 'Activity and messages' })
    const box = chatter.getByRole('textbox', { name: 'Message' })
    const people = page.getByRole('listbox', { name: 'People' })
    await box.fill('Ask <them>')
    await chatter.getByRole('button', { name: 'Mention someone' }).click()
    const name = await people.getByRole('option', { selected: true }).locator('.cut').textContent()
    await page.keyboard.press('Enter')
    await chatter.getByRole('button', { name: 'Formatting' }).click()
    await chatter.getByRole('toolbar', { name: 'Formatting' }).waitFor()
    await page.keyboard.press('Control+b')
    await page.keyboard.type('today')
    await page.keyboard.press('Control+b')
    await page.keyboard.type(' or write to ')
    await chatter.getByRole('button', { name: 'Mention someone' }).click()
    await people.waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    const second = await people.getByRole('option', { selected: true }).locator('.cut').textContent()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')
    const message = chatter.getByRole('article').filter({ hasText: 'Ask <them>' })
    await message.locator('b', { hasText: /^today$/ }).waitFor()
    expect(await message.locator('[data-mention]').allInnerTexts()).toEqual([`@${name}`, `@${second}`])
    // The box is plain and empty again, and ready for the next message.
    await expect.poll(() => box.inputValue()).toBe('')
    await expect.poll(() => box.evaluate((area) => area === document.activeElement)).toBe(true)

    const change = chatter.getByRole('article').filter({ hasText: 'lovage@example.com' })
    const show = (part: string) => chatter.getByRole('button', { name: part, exact: true }).click()
    await show('Changes')
    await message.waitFor({ state: 'detached' })
    await change.waitFor()
    await show('Messages')
    await change.waitFor({ state: 'detached' })
    await message.waitFor()
    await show('Changes')
    await change.waitFor()
    await box.fill('Done')
    await box.press('Control+Enter')
    await chatter.getByRole('article').filter({ hasText: 'Done' }).waitFor()
    await message.waitFor()
    expect(complaints).toEqual([])
  })
})
