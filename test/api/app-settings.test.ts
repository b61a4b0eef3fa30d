import { beforeAll, expect, test } from 'vitest'
import type { Agent, Envelope } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'

const PATH = '/web/settings/app'
const JSON_TYPE = { accept: 'application/json' }

describeHost('the settings of the apps', 'process', (host) => {
  let admin: Agent
  beforeAll(async () => {
    admin = await host.signIn('admin')
  })
  const send = (agent: Agent, body: object) =>
    agent.fetch(
      PATH,
      { method: 'POST', body: JSON.stringify(body) },
      { 'content-type': 'application/json', ...JSON_TYPE },
    )

  test('are those that the installed apps declare', async () => {
    const answer = await admin.get(PATH, JSON_TYPE)
    expect(((await answer.json()) as Envelope).result).toMatchObject({
      company: null,
      companies: [{ name: 'My Company' }],
      apps: [],
    })
    expect((await send(admin, { app: 'sale', values: { 'sale.terms': 'x' } })).status).toBe(404)
  })

  test('are for administrators', async () => {
    const demo = await host.signIn('demo')
    expect((await demo.get(PATH, JSON_TYPE)).status).toBe(403)
    expect((await demo.get(PATH, { accept: 'text/html' })).status).toBe(403)
    expect((await send(demo, { app: 'sale', values: {} })).status).toBe(403)
  })
})
