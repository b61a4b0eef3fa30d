import { expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import { describeHosts } from '../support/hosts.ts'
import { readBatch, stage } from '../support/upload.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

describeHosts('actions of the client', (host) => {
  test('on one record keep what the action keeps when it refuses, as a call does', async () => {
    const agent = await host.signIn('admin')
    const { id } = await stage(agent, 'name,latitude\nActed,north\n')
    const body = JSON.stringify({ model: 'sys.bulk.import', action: 'action_confirm_import', ids: [id] })
    const response = await agent.fetch('/web/wc/act', { method: 'POST', body }, JSON_TYPE)
    expect([response.status, (await response.json()).error.details.reason]).toEqual([422, 'rows_invalid'])
    expect(await readBatch(agent, id)).toMatchObject({ state: 'mapped' })
  })

  test('on one record say by its name why it refuses, as on many', async () => {
    const agent = await host.signIn('admin')
    const own = await agent.must('core.user', 'search_read', [[['login', '=', 'admin']], ['display_name']])
    const [{ id, display_name: name }] = own as [{ id: number; display_name: string }]
    const body = JSON.stringify({ model: 'core.user', action: 'archive', ids: [id] })
    const response = await agent.fetch('/web/wc/act', { method: 'POST', body }, JSON_TYPE)
    const message = 'You cannot archive your own account.'
    expect(await response.json()).toEqual({
      done: [],
      possible: [],
      refused: [{ id, name, reason: expect.any(String), message }],
    })
  })

  test('are done once for a key, however often they are sent', async () => {
    const agent = await host.signIn('admin')
    const tag = await agent.must<number>('core.tag', 'create', [{ name: 'Once' }])
    const post = async (path: string, body: object, key: string) => {
      const headers = { ...JSON_TYPE, 'idempotency-key': key }
      const response = await agent.fetch(path, { method: 'POST', body: JSON.stringify(body) }, headers)
      return [response.headers.get('idempotent-replayed'), await response.json()]
    }
    const isActive = async () =>
      (await agent.must<[{ active: boolean }]>('core.tag', 'read', [[tag], ['active']]))[0].active
    const archive = { model: 'core.tag', action: 'archive', ids: [tag] }
    const [, first] = await post('/web/wc/act', archive, 'a')
    await agent.must('core.tag', 'write', [[tag], { active: true }])
    expect(await post('/web/wc/act', archive, 'a')).toEqual(['true', first])
    expect(await isActive()).toBe(true)
    expect((await post('/web/wc/act', { ...archive, action: 'unlink' }, 'a'))[1].error.code).toBe('CONFLICT')
    // A call that did nothing does not use its key up, so it can be sent again.
    const [{ id: own }] = await agent.must<[{ id: number }]>('core.user', 'search_read', [
      [['login', '=', 'admin']],
      [],
    ])
    const archiveOwn = { model: 'core.user', action: 'archive', ids: [own] }
    for (const _ of [1, 2])
      expect(await post('/web/wc/act', archiveOwn, 'e')).toMatchObject([null, { done: [], refused: [{ id: own }] }])
    // A trial does nothing, so there is nothing to keep.
    const trial = { ...archive, trial: true }
    expect([await post('/web/wc/act', trial, 'd'), await post('/web/wc/act', trial, 'd')]).toEqual(
      Array(2).fill([null, { done: [], possible: [tag], refused: [] }]),
    )
  })

  test('take a number outside the range of ids for a record that there is not', async () => {
    const agent = await host.signIn('admin')
    const tag = await agent.must<number>('core.tag', 'create', [{ name: 'Known' }])
    const post = (path: string, body: unknown) =>
      agent.fetch(path, { method: 'POST', body: JSON.stringify(body) }, JSON_TYPE)
    for (const ids of [[2 ** 31], [tag, 2 ** 40], [-1]])
      expect((await post('/web/wc/act', { model: 'core.tag', action: 'archive', ids })).status, String(ids)).toBe(404)
    const known = { model: 'core.partner', field: 'user_id' }
    const answerTo = async (ids: Readonly<Record<string, unknown>>) => {
      const response = await post('/web/wc/assignable', { ...known, ...ids })
      return [response.status, await response.json()]
    }
    for (const name of ['ids', 'kept'])
      expect(await answerTo({ [name]: [2 ** 31] }), name).toEqual(await answerTo({ [name]: [999_999] }))
    expect(await answerTo({ links: { parent_id: 2 ** 31 } })).toEqual(await answerTo({ links: { parent_id: 999_999 } }))
  })

  test('are not undone with a text too long for a token, which is not even decrypted', async () => {
    const agent = await host.signIn('admin')
    const undo = async (chars: number) => {
      const body = JSON.stringify({ model: 'core.tag', token: 'A'.repeat(chars) })
      const response = await agent.fetch('/web/wc/undo', { method: 'POST', body }, JSON_TYPE)
      return [response.status, (await response.json()).error.message]
    }
    expect(await undo(LIMITS.undoTokenChars)).toEqual([400, 'token: is not valid.'])
    expect(await undo(LIMITS.undoTokenChars + 1)).toEqual([400, expect.stringMatching(/^token: .*60000/)])
  })
})
