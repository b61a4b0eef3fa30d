import { expect, test } from 'vitest'
import type { Agent } from '../support/agent.ts'
import { describeHosts } from '../support/hosts.ts'

interface Events {
  readonly events: readonly { readonly channel: string; readonly payload: Readonly<Record<string, unknown>> }[]
  readonly seq: string
  readonly resync?: boolean
}

const ask = async (agent: Agent, since?: string): Promise<Events> => {
  const response = await agent.get(`/web/wc/events${since === undefined ? '' : `?since=${encodeURIComponent(since)}`}`)
  expect(response.status).toBe(200)
  return response.json() as Promise<Events>
}

describeHosts('GET /web/wc/events', (host) => {
  test('answers with the events since a position that the user may see', async () => {
    const [librarian, guest] = [await host.signIn('admin'), await host.signIn('guest')]
    const [hers, his] = [await ask(librarian), await ask(guest)]
    expect(hers.events).toEqual([])
    const book = await librarian.must<number>('library.author', 'create', [{ name: 'Live' }])
    await librarian.must('library.author', 'unlink', [[book]])
    const seen = await ask(librarian, hers.seq)
    const about = seen.events.filter(({ payload }) => payload['model'] === 'library.author')
    expect(about).toEqual([
      { channel: 'record.created', payload: { model: 'library.author', id: book } },
      {
        channel: 'record.deleted',
        payload: { model: 'library.author', id: book, by: [expect.any(Number), 'admin'] },
      },
    ])
    expect((await ask(librarian, seen.seq)).events).toEqual([])
    expect((await ask(guest, his.seq)).events.filter(({ payload }) => payload['model'] === 'library.author')).toEqual(
      [],
    )
  })

  test('asks for a new load where the log does not reach back, whatever the position says', async () => {
    const agent = await host.signIn('admin')
    const { seq } = await ask(agent)
    for (const since of ['', 'x', '0', seq.replace(/\d+$/, '1'), `${seq}'`, seq.replace(/\/.*\//, '/9:8:/')])
      expect(await ask(agent, since)).toMatchObject({
        events: [],
        resync: true,
        seq: expect.stringMatching(/^\w{8}\.\d+\//),
      })
  })

  test('needs a session, and is not for pages of other sites', async () => {
    expect((await host.anonymous().get('/web/wc/events')).status).toBe(401)
    const agent = await host.signIn('admin')
    expect((await agent.get('/web/wc/events', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })
})
