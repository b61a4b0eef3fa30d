import { beforeAll, expect, test } from 'vitest'
import type { Agent } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'
import { openWorkspace, refuseWorkspace } from '../support/workspace.ts'

/** What the web client and integrations of a user without administration see of colleagues. */
describeHost('the list of users', 'process', (host) => {
  let admin: Agent
  let demo: Agent
  beforeAll(async () => {
    admin = await host.signIn('admin')
    demo = await host.signIn('demo')
    const [user] = await admin.must<{ id: number }[]>('core.user', 'search_read', [[['login', '=', 'admin']], ['id']])
    await admin.must('core.user', 'write', [[user!.id], { name: 'Ada', login: 'admin', email: 'hidden@example.com' }])
  })

  const list = (agent: Agent, params: Readonly<Record<string, string>> = {}) =>
    openWorkspace(agent, { model: 'core.user', view_type: 'list', ...params })

  test('shows administrators the columns with login and e-mail address, others not', async () => {
    const shown = async (agent: Agent) => JSON.stringify({ ...(await list(agent)), user: null })
    expect(await shown(admin)).toMatch(/"login".*hidden@example\.com/)
    expect(await shown(demo)).not.toMatch(/"login"|"email"|hidden@example\.com/)
    expect(await shown(demo)).toContain('"Ada"')
  })

  test('is searched by its shown columns', async () => {
    const total = async (agent: Agent, q: string) => (await list(agent, { q })).listTotal
    expect([await total(admin, 'hidden@'), await total(demo, 'hidden@')]).toEqual([1, 0])
    expect([await total(admin, 'Ada'), await total(demo, 'Ada')]).toEqual([1, 1])
  })

  test('offers no search that would be refused', async () => {
    const [wide, narrow] = [await list(admin), await list(demo)].map(({ search }) => search.fields)
    expect(JSON.stringify(wide)).toContain('login')
    expect(narrow!.find(({ name }) => name === 'name')).toEqual({ name: 'name', label: 'Name', type: 'char' })
  })

  test.each(['login', 'email', 'signature'])('is not sorted or grouped by %s', async (name) => {
    expect(await refuseWorkspace(demo, { model: 'core.user', view_type: 'list', sort: name })).toMatchObject({
      code: 'ACCESS_DENIED',
    })
    for (const spec of [{ groupby: [name] }, { fields: [{ name: 'n', field: name, measure: 'count' }] }]) {
      expect((await demo.rpc('core.user', 'read_group', [spec])).error).toMatchObject({ code: 'ACCESS_DENIED' })
    }
  })

  test('shows the own address on the page of the account', async () => {
    const page = await (await admin.get('/web/account', { accept: 'text/html' })).text()
    expect(page).toContain('hidden@example.com')
  })
})
