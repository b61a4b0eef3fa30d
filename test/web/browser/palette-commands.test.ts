import { expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { useClient } from './fixture.ts'
import { input, open, options, type } from './palette-page.ts'

const client = useClient()

test('the words people type find the commands: import, export, invite, mail, install and develop, in both languages', async () => {
  const { page, go, follow, complaints, release } = await client.signIn()
  await go('/web?model=sale.order&view_type=list')
  await allLoaded(page)
  await open(page)
  await type(page, 'import contacts', 'Import into ')
  const found = [
    ['export', 'Export this list'],
    ['invite', 'Invite somebody'],
    ['mail settings', 'Mail settings'],
    ['install', 'Install apps'],
    ['develop', 'Switch developer mode on'],
  ] as const
  for (const [text, label] of found) {
    await input(page).fill(text)
    await page.getByRole('option', { name: label }).waitFor()
  }
  await type(page, 'export this', 'Export this list')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: /^Export / }).waitFor()
  await page.keyboard.press('Escape')
  await follow('/web/home')
  await open(page)
  await input(page).fill('export')
  await options(page).first().waitFor()
  expect(await page.getByRole('option', { name: 'Export this list' }).count()).toBe(0)
  await type(page, 'import contacts', 'Import into ')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Import' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect(complaints).toEqual([])
  await release()
})
