import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { ClientFixture } from './fixture.ts'

/** What the tests of calendar, gantt and map do with a page. */
export interface PlanPage {
  /** A call as somebody else would make it: the page does not know it as its own. */
  call<T = true>(model: string, method: string, args: readonly unknown[]): Promise<T>
  /** One field of a record as the database has it. */
  readField(model: string, id: number, field: string): Promise<unknown>
  drag(from: Point, to: Point): Promise<void>
  centre(of: Locator): Promise<Point>
  /** The next writes are refused. */
  refuseWrites(): Promise<void>
  told(): Promise<string | null>
}

interface Point {
  readonly x: number
  readonly y: number
}

export function planPage(client: ClientFixture, page: Page): PlanPage {
  return {
    call: (model, method, args) =>
      page.evaluate(async (body) => {
        const { csrfToken } = window.__WC_BOOTSTRAP__ ?? { csrfToken: '' }
        const headers = { 'content-type': 'application/json', 'x-csrf-token': csrfToken }
        const answer = await fetch('/api/rpc', { method: 'POST', headers, body })
        const { ok, result, error } = await answer.json()
        if (!ok) throw new Error(error.message)
        return result
      }, JSON.stringify({ model, method, args })),
    async readField(model, id, field) {
      const [row] = await client.modules().asSystem(
        // The names come from the tests, which know the models.
        (env) => env.model(model as 'core.partner').read([id], [field] as never) as Promise<Record<string, unknown>[]>,
      )
      return row?.[field]
    },
    async drag(from, to) {
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await page.mouse.move(from.x + 5, from.y + 3, { steps: 2 })
      await page.mouse.move(to.x, to.y, { steps: 6 })
      await page.mouse.up()
    },
    async centre(of) {
      await of.scrollIntoViewIfNeeded()
      const { x, y, width, height } = (await of.boundingBox())!
      return { x: x + width / 2, y: y + height / 2 }
    },
    async refuseWrites() {
      await page.route('**/api/rpc', (route) => {
        const { method } = route.request().postDataJSON() as { method: string }
        if (method !== 'write') return route.fallback()
        return route.fulfill({
          status: 403,
          contentType: 'application/json',
          body: JSON.stringify({ ok: false, error: { code: 'ACCESS_DENIED', message: 'This plan is locked.' } }),
        })
      })
    },
    told: () => page.locator('body > [role=status]').textContent(),
  }
}

export const soon = <T>(read: () => T | Promise<T>) => expect.poll(read)
