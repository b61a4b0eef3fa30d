import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { useClient } from './fixture.ts'

const client = useClient()

/** One pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The seller with a picture, and a deal of theirs. */
const facts = () =>
  client.modules().asSystem(async (env) => {
    const [seller] = await env.model('core.user').search([['login', '=', 'seller']])
    const [user] = await env.model('core.user').read([seller!], ['company_id'])
    await env.model('core.user').write([seller!], { image: PNG })
    const here = [['company_id', '=', user!.company_id[0]] as const]
    const [lead] = await env.model('crm.lead').search([...here, ['outcome', '=', 'open']], { limit: 1 })
    await env.model('crm.lead').write([lead!], { user_id: seller! })
    return { seller: seller!, lead: lead! }
  })

const backgroundOf = (page: Page, within: string, user: number) =>
  page
    .locator(`${within} .av[data-user="${user}"]`)
    .first()
    .evaluate((face) => getComputedStyle(face).backgroundImage)

test('the picture of a user stands wherever the user does: lists, boards, forms, messages and the page of users', async () => {
  const { seller, lead } = await facts()
  const { page, go, complaints, release } = await client.signIn('seller')
  const picture = page.waitForResponse((response) => response.url().includes(`/web/picture?id=${seller}&`))
  await go('/web?model=crm.lead&view_type=list')
  expect(await backgroundOf(page, 'main', seller)).toContain(`/web/picture?id=${seller}&`)
  expect((await picture).status()).toBe(200)
  expect(await findViolations(page)).toEqual([])
  await go('/web?model=crm.lead&view_type=kanban')
  expect(await backgroundOf(page, '.card', seller)).toContain('/web/picture')
  await go(`/web?model=crm.lead&view_type=form&id=${lead}`)
  expect(await backgroundOf(page, '.combo', seller)).toContain('/web/picture')
  await page.getByRole('textbox', { name: 'Message' }).fill('Seen')
  await page.getByRole('button', { name: 'Send' }).click()
  expect(await backgroundOf(page, '.msg', seller)).toContain('/web/picture')
  // A contact with the same id is somebody else.
  await go(`/web?model=core.partner&view_type=form&id=${seller}`)
  await page.locator('.imagefield .av').waitFor()
  expect(await page.locator('.imagefield [data-user]').count()).toBe(0)
  expect(complaints).toEqual([])
  await release()
  const admin = await client.signIn()
  await admin.go('/web/settings/users')
  expect(await backgroundOf(admin.page, 'main', seller)).toContain('/web/picture')
  expect(await findViolations(admin.page)).toEqual([])
  expect(admin.complaints).toEqual([])
  await admin.release()
})
