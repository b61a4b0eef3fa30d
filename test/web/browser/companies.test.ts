import { expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { useClient } from './fixture.ts'

const client = useClient()

/** What somebody of two companies has in the second one, by its name in a search. */
const RECORDS = {
  'crm.lead': 'Kelp farm',
  'project.task': 'Dry the kelp',
  'core.partner': 'Kelp Traders',
} as const

/** A view, and where the record of the second company is on it. */
const VIEWS = [
  ['graph', 'crm.lead', 'table=1&measure=__count&group=stage_id', '.charttable tbody tr'],
  ['pivot', 'crm.lead', 'group=stage_id&cols=none&measures=__count', '.pivot tbody tr'],
  ['cohort', 'crm.lead', 'measure=__count', '.cohort tbody tr'],
  ['calendar', 'project.task', 'date=2031-06-01', '[data-event]'],
  ['gantt', 'project.task', 'date=2031-06-01', '[data-bar]'],
  ['map', 'core.partner', '', '[data-place]'],
] as const

test('every view shows the records of the companies one works in, and no others', async () => {
  const companies = await client.modules().asSystem(async (env) => {
    const [user] = await env.model('core.user').searchRead([['login', '=', 'admin']], ['company_id'])
    const own = user!.company_id![0]
    const [company_id] = await env.model('core.company').search([['id', '!=', own]], { limit: 1 })
    await env.model('core.user').write([user!.id], { company_ids: [own, company_id!] })
    const [currency_id] = await env.model('core.currency').search([], { limit: 1 })
    await env
      .model('crm.lead')
      .create({ name: RECORDS['crm.lead'], company_id: company_id!, currency_id: currency_id! })
    const project_id = await env.model('project.project').create({ name: 'Kelp', company_id: company_id! })
    const dates = { date_start: '2031-06-10T08:00:00Z', date_end: '2031-06-12T08:00:00Z' }
    await env.model('project.task').create({ name: RECORDS['project.task'], project_id, ...dates })
    const place = { latitude: 56.3, longitude: -4.2 }
    await env.model('core.partner').create({ name: RECORDS['core.partner'], company_id: company_id!, ...place })
    return [own, company_id!]
  })
  const { page, go, follow, complaints } = await client.signIn()
  const workIn = async (ids: readonly number[]) => {
    await page.evaluate(async (chosen) => {
      const { csrfToken } = window.__WC_BOOTSTRAP__ ?? { csrfToken: '' }
      const body = new URLSearchParams(chosen.map((id) => ['company_id', String(id)]))
      await fetch('/web/company/switch', { method: 'POST', body, headers: { 'x-csrf-token': csrfToken } })
    }, ids)
    await go('/web/home')
  }
  await go('/web/home')
  for (const ids of [companies, companies.slice(0, 1)]) {
    await workIn(ids)
    for (const [kind, model, fragment, record] of VIEWS) {
      await follow(`/web?model=${model}&view_type=${kind}&filter=&q=${RECORDS[model]}#${fragment}`)
      await allLoaded(page)
      await expect
        .poll(() => page.locator(`main ${record}`).count(), { message: `${kind} of ${ids}` })
        .toBe(ids.length - 1)
    }
  }
  expect(complaints).toEqual([])
  await page.context().close()
})
