import { expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { useClient } from './fixture.ts'

const client = useClient()

/** A confirmed order of the second company, which somebody else has sold. */
const sold = () =>
  client.modules().asSystem(async (env) => {
    const [order] = await env.model('sale.order').searchRead(
      [
        ['state', '=', 'sale'],
        ['company_id.name', '=', 'Nordlicht Trading'],
      ],
      ['name'],
      { limit: 1 },
    )
    return order!
  })

test('an accountant finds the orders of others, locks one and unlocks it, and is offered nothing that sells', async () => {
  const { id, name } = await sold()
  const { page, go, complaints, release } = await client.signIn('frieda@example.com')
  await go('/web?model=sale.order&view_type=list')
  await page.getByRole('link', { name: name! }).first().waitFor()
  expect(await page.getByRole('link', { name: 'New', exact: true }).count()).toBe(0)
  await go(`/web?model=sale.order&view_type=form&id=${id}`)
  await page.locator('.actbar .badge').filter({ hasText: 'Read-only' }).waitFor()
  await page.getByRole('button', { name: 'Lock', exact: true }).click()
  const unlock = page.getByRole('button', { name: 'Unlock' })
  await unlock.waitFor()
  for (const button of ['Confirm', 'Cancel Order', 'Set to Quotation', 'Send by E-mail'])
    expect([button, await page.getByRole('button', { name: button, exact: true }).count()]).toEqual([button, 0])
  expect(await findViolations(page)).toEqual([])
  await unlock.click()
  await page.getByRole('button', { name: 'Lock', exact: true }).waitFor()
  expect(complaints).toEqual([])
  await release()
})

test('on a phone the sign of a read-only record stands beside its status, not above it', async () => {
  const { id } = await sold()
  const { page, go, complaints, release } = await client.signIn('frieda@example.com', {
    viewport: { width: 390, height: 844 },
  })
  await go(`/web?model=sale.order&view_type=form&id=${id}`)
  const sign = page.locator('.actbar .badge')
  await sign.waitFor()
  const overflow = await sign.evaluate((badge) => badge.scrollWidth - badge.clientWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  expect(complaints).toEqual([])
  await release()
})
