import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { WatchedPage } from '../support/browser.ts'
import type { HeldPage } from './components/page.tsx'
import { usePage } from './components/use-page.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const openComponents = usePage('page.tsx')
let watched: WatchedPage
let page: Page

beforeEach(async () => {
  watched = await openComponents()
  page = watched.page
  return async () => {
    expect(watched.complaints).toEqual([])
    await page.context().close()
  }
})

const said = () => page.locator('.said').textContent()
const values = async () => JSON.parse((await page.locator('.values').textContent())!)
const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim())

async function violations(): Promise<readonly string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
  })
}

describe('components in a browser, under the policy of the real pages', () => {
  test.each(['light', 'dark'] as const)('are accessible at rest, in the %s theme', async (colorScheme) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.locator('.html b').waitFor()
    expect(await violations()).toEqual([])
  })

  test('a menu is worked by keys alone and gives the focus back', async () => {
    const button = page.getByRole('button', { name: 'Actions' })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor()
    expect(await violations()).toEqual([])
    await expect.poll(() => focused()).toContain('Duplicate')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => focused()).toContain('Delete')
    await page.keyboard.press('a')
    await expect.poll(() => focused()).toContain('Archive')
    await page.keyboard.press('Enter')
    await expect.poll(() => said()).toBe('archive')
    await expect.poll(focused).toBe('Actions')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('menu').count()).toBe(0)
    await expect.poll(() => button.getAttribute('aria-expanded')).toBe('false')
  })

  test('a menu closes when something else is clicked', async () => {
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menu').waitFor()
    await page.getByRole('heading', { name: 'Components' }).click()
    await page.getByRole('menu').waitFor({ state: 'detached' })
  })

  test('a dialog keeps the focus, starts at the safe button and closes by Escape', async () => {
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByRole('dialog', { name: 'Delete it?' }).waitFor()
    expect(await violations()).toEqual([])
    await expect.poll(() => focused()).toBe('Cancel')
    await page.keyboard.press('Escape')
    await expect.poll(said).toBe('answer false')
    await expect.poll(focused).toBe('Ask')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect.poll(said).toBe('answer false, answer true')
  })

  test('a combobox suggests while one types', async () => {
    const input = page.getByRole('combobox', { name: 'Customer' })
    await input.fill('bri')
    await page.getByRole('option').first().waitFor()
    expect(await page.getByRole('option').allTextContents()).toEqual([
      'Brightwater Clinic',
      'Bristol Harbour',
      'Create “bri”',
    ])
    expect(await violations()).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => said()).toBe('customer 1')
    await expect.poll(() => input.inputValue()).toBe('chosen 1')
    await input.fill('zzz')
    await page.getByText('Nothing found').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => input.inputValue()).toBe('chosen 1')
    await input.fill('kes')
    await page.getByRole('option', { name: 'Kestrel Logistics' }).click()
    await expect.poll(() => said()).toBe('customer 1, customer 0')
  })

  test.each(['Enter', 'Tab'])(
    'a combobox takes by %s what fits the text, not what was offered before it',
    async (key) => {
      const input = page.getByRole('combobox', { name: 'Customer' })
      await input.click()
      await page.getByRole('option', { name: 'Kestrel Logistics' }).waitFor()
      await page.evaluate(() => {
        const page = window as HeldPage
        page.held = new Promise((resolve) => {
          page.release = resolve
        })
      })
      await page.keyboard.type('bristol')
      await page.keyboard.press(key)
      await page.evaluate(() => (window as HeldPage).release?.())
      await expect.poll(said).toBe('customer 0')
      await expect.poll(() => input.inputValue()).toBe('chosen 0')
      await expect.poll(() => page.locator('.problem').textContent()).toBe('')
    },
  )

  test.each([
    ['Nobody', 'Nothing is called “Nobody”.'],
    ['bri', 'Choose one for “bri”.'],
  ])('a combobox that is left with %s says why nothing was taken, and makes nothing', async (typed, problem) => {
    const input = page.getByRole('combobox', { name: 'Customer' })
    await input.click()
    await page.keyboard.type(typed)
    if (typed === 'bri') await page.getByRole('tab', { name: 'Notes' }).click()
    else await page.keyboard.press('Tab')
    await page.getByText(problem).waitFor()
    await expect.poll(() => input.inputValue()).toBe(typed)
    await expect.poll(() => said()).toBe('')
    // Typing on removes the error; Escape discards the text.
    await input.focus()
    await page.keyboard.type('k')
    await expect.poll(() => page.locator('.problem').textContent()).toBe('')
    await page.keyboard.press('Escape')
    await expect.poll(() => input.inputValue()).toBe('')
  })

  test('an amount is typed into an empty field', async () => {
    const revenue = page.getByLabel('Revenue')
    await revenue.focus()
    await page.keyboard.type('2500')
    await expect.poll(() => revenue.inputValue()).toBe('2500')
    expect(await values()).toMatchObject({ Revenue: 2500 })
    await page.keyboard.press('Tab')
    await expect.poll(() => revenue.inputValue()).toBe('2,500.00')
  })

  test.each([
    ['Weight', 'abc', '2.00'],
    ['Payload', '{"a"', '{\n  "a": 1\n}'],
  ])('what cannot be read in %s stays until the record is discarded', async (name, typed, before) => {
    const control = page.getByLabel(name)
    await control.fill(typed)
    await page.keyboard.press('Tab')
    await expect.poll(() => control.inputValue()).toBe(typed)
    await expect.poll(() => control.getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('button', { name: 'Discard all' }).click()
    await expect.poll(() => control.inputValue()).toBe(before)
    await expect.poll(() => control.getAttribute('aria-invalid')).toBeNull()
  })

  test('an address has its link beside it, and only one of its kind', async () => {
    const link = (name: string) => page.getByRole('link', { name })
    await expect.poll(() => link('ann@example.com').getAttribute('href')).toBe('mailto:ann@example.com')
    await expect.poll(() => link('+49 30 1234').getAttribute('href')).toBe('tel:+49301234')
    await expect.poll(() => link('example.com/a').getAttribute('href')).toBe('https://example.com/a')
    await page.getByLabel('Website', { exact: true }).fill('javascript:alert(1)')
    await expect.poll(() => link('javascript:alert(1)').count()).toBe(0)
    await page.getByLabel('Mail', { exact: true }).pressSequentially('.org')
    await expect.poll(() => link('ann@example.com.org').count()).toBe(1)
    expect(await violations()).toEqual([])
  })

  test('tabs move by arrows', async () => {
    await page.getByRole('tab', { name: 'Order lines' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.getByRole('tabpanel').textContent()).toBe('notes')
    await expect.poll(() => page.getByRole('tab', { name: 'Notes' }).getAttribute('aria-selected')).toBe('true')
  })

  test('a pager goes as far as there are records', async () => {
    const next = page.getByRole('button', { name: 'Next' })
    await next.click()
    await next.click()
    await expect.poll(() => page.locator('.pager').textContent()).toContain('161–200 of 200')
    await expect.poll(() => next.isDisabled()).toBe(true)
  })

  test('a toast is announced, can be undone, and closes automatically', async () => {
    await page.getByRole('button', { name: 'Tell' }).click()
    await page.getByRole('status').filter({ hasText: 'Order confirmed' }).waitFor()
    expect(await violations()).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => said()).toBe('undone')
    await expect.poll(() => page.getByText('Order confirmed').count()).toBe(0)
  })

  test('a file is kept, replaced by another, and removed', async () => {
    const field = page.locator('.filefield')
    const [kept] = await Promise.all([
      page.waitForEvent('download'),
      field.getByRole('button', { name: /Download/ }).click(),
    ])
    expect(kept.suggestedFilename()).toBe('Contract.bin')
    expect(readFileSync((await kept.path())!, 'utf8')).toBe('signed')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      field.getByRole('button', { name: 'Replace' }).click(),
    ])
    await chooser.setFiles({ name: 'new.txt', mimeType: 'text/plain', buffer: Buffer.from('anew') })
    await expect.poll(async () => atob((await values()).Contract)).toBe('anew')
    await field.getByRole('button', { name: 'Remove' }).click()
    expect((await values()).Contract).toBeNull()
    await field.getByRole('button', { name: 'Upload a file' }).waitFor()
  })

  test('a reference is chosen by kind, then by name, and cleared with its kind', async () => {
    const kind = page.getByRole('combobox', { name: 'About: kind' })
    await kind.fill('cust')
    await page.getByRole('option', { name: /Customers/ }).click()
    await page.getByRole('combobox', { name: 'About', exact: true }).fill('Bo')
    await page.getByRole('option', { name: 'Bob' }).click()
    expect((await values()).About).toBe('shop.customer,2')
    await kind.fill('')
    await page.keyboard.press('Tab')
    await expect.poll(async () => (await values()).About).toBeNull()
  })

  test('links are chosen by boxes, by mouse and by keys', async () => {
    const group = page.getByRole('group', { name: 'Colours' })
    await group.getByRole('checkbox', { name: 'Red' }).check()
    await group.getByRole('checkbox', { name: 'Green' }).focus()
    await page.keyboard.press('Space')
    expect((await values()).Colours).toEqual([1])
  })

  test('a tooltip names an icon that has the focus, with its keys', async () => {
    await page.getByRole('button', { name: 'Actions' }).focus()
    await page.keyboard.press('Tab')
    await expect.poll(() => page.locator('.tip:popover-open').textContent()).toBe('Help?')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.tip:popover-open').count()).toBe(0)
  })

  test('HTML of a field is cleaned before it is shown', async () => {
    await page.locator('.html b').waitFor()
    await expect.poll(() => page.locator('.html').innerHTML()).toBe('<p>Safe <b title="a &gt; b">text</b></p><a>x</a>')
    await expect.poll(() => page.evaluate(() => 'wasHit' in window)).toBe(false)
  })
})
