import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import type { SignedIn } from './fixture.ts'
import { useOwnService } from './own-service.ts'

const { client, kill, start, signIn } = useOwnService()

/** What a user does with one record up to the request, and what is true once it is done. */
const ACTS: Readonly<
  Record<
    string,
    { act(page: Page, go: SignedIn['go'], id: number): Promise<unknown>; isDone(id: number): Promise<unknown> }
  >
> = {
  'a form that is archived': {
    async act(page, go, id) {
      await go(`/web?model=crm.lead&view_type=form&id=${id}`)
      await allLoaded(page)
      await page.getByRole('button', { name: 'More actions' }).click()
      await kill()
      await page.getByRole('menuitem', { name: 'Archive' }).click()
    },
    isDone: (id) => leadIs(id, [['active', '=', false]]),
  },
  'a row that is archived': {
    async act(page, go) {
      await go('/web?model=crm.lead&view_type=list&q=Outage+Lead')
      await allLoaded(page)
      await page.getByRole('row').nth(1).getByRole('checkbox').check()
      await kill()
      await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Archive' }).click()
    },
    isDone: (id) => leadIs(id, [['active', '=', false]]),
  },
  'a card that is archived': {
    async act(page, go) {
      await go('/web?model=crm.lead&view_type=kanban&q=Outage+Lead')
      await allLoaded(page)
      await page.getByRole('button', { name: 'Actions for Outage Lead' }).click()
      await kill()
      await page.getByRole('menuitem', { name: 'Archive' }).click()
    },
    isDone: (id) => leadIs(id, [['active', '=', false]]),
  },
}
const leadIs = (id: number, domain: readonly unknown[]) =>
  client
    .modules()
    .asSystem((env) =>
      env.model('crm.lead').count([['id', '=', id], ['active', 'in', [true, false]], ...domain] as never),
    )

for (const [name, { act, isDone }] of Object.entries(ACTS))
  test(`${name} while the service is killed is done with “Try again”`, async () => {
    const id = await client.modules().asSystem(async (env) => {
      const [currency_id] = await env.model('core.currency').search([['name', '=', 'EUR']])
      return env.model('crm.lead').create({ name: 'Outage Lead', currency_id: currency_id! })
    })
    const signedIn = await signIn()
    const { page } = signedIn
    page.on('dialog', (dialog) => void dialog.accept())
    await act(page, signedIn.go, id)
    const toast = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Try again' }) })
    await toast.getByText('Trying again is safe').waitFor()
    await start()
    await toast.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => isDone(id)).toBe(1)
    expect(await page.getByRole('alert').filter({ hasText: 'No connection' }).count()).toBe(0)
    await client.modules().asSystem((env) => env.model('crm.lead').unlink([id]))
  })
