import { EventEmitter } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import type { Principal } from '../../kernel/env.ts'
import { createEnv } from '../../kernel/work/create-env.ts'
import { BusSocket } from '../../runtime/node/bus/bus-socket.ts'
import { openPresence } from '../../runtime/node/bus/presence.ts'
import type { BusReader, Readers } from '../../runtime/node/bus/readers.ts'
import { openPeople, type People } from '../support/people.ts'

const MEMBERS = ['joe', 'jim', 'jon', 'jan', 'jil', 'job']
const STRANGERS = ['sue', 'sam', 'sid']

let people: People
let projectId: number

beforeAll(async () => {
  people = await openPeople(['base', 'project'])
  for (const login of MEMBERS) await people.hire(login, ['base.group_user', 'project.group_manager'])
  for (const login of STRANGERS) await people.hire(login, ['base.group_user', 'project.group_user'])
  projectId = await people.asSystem((env) =>
    env.model('project.project').create({ name: 'Secret', visibility: 'members', member_ids: [] }),
  )
})
afterAll(() => people.leave())

/** A page of a user, and what it has been sent. */
function openPage(user: Principal) {
  const messages: { readonly payload: { readonly users: readonly { readonly name: string }[] } }[] = []
  const wire = Object.assign(new EventEmitter(), {
    ...{ readyState: 1, bufferedAmount: 0 },
    send: (text: Buffer) => messages.push(JSON.parse(String(text))),
  })
  const socket = new BusSocket(wire as unknown as WebSocket, { onMessage: async () => {}, onClose: async () => {} })
  const session = { user } as BusReader['session']
  const reader: BusReader = { sessionId: user.login, sockets: new Set([socket]), session }
  return { user, socket, reader, messages }
}

test('the rights of all users at a record are read together, when they or other users come and go', async () => {
  const { services, holder } = people.modules
  const state = await holder.latest()
  const readers: Pick<Readers, 'envOf'> = {
    envOf: ({ session: { user } }) =>
      createEnv({ services, state, tx: services.db, user, requestId: 'test', now: new Date() }),
  }
  const presence = openPresence({ services, readers, process: 'test' })
  const pages: ReturnType<typeof openPage>[] = []
  for (const login of [...MEMBERS, ...STRANGERS]) pages.push(openPage(await people.as(login, async (env) => env.user)))
  const { statements } = people.database
  /** How often the rules are asked who may read. */
  const asked = async (work: () => void) => {
    work()
    statements.length = 0
    await presence.refresh()
    return statements.filter((text) => /select t\.id/.test(text)).length
  }
  const lastSeen = () =>
    Object.fromEntries(
      pages.map(({ user, messages }) => [user.login, messages.at(-1)?.payload.users.map(({ name }) => name)]),
    )
  const record = { model: 'project.project', id: projectId }

  const first = await asked(() => {
    for (const { reader, socket } of pages) presence.show(reader, socket, record)
  })
  for (const login of MEMBERS) expect(lastSeen()[login]).toEqual(MEMBERS.filter((name) => name !== login).toSorted())
  for (const login of STRANGERS) expect(lastSeen()[login]).toBeUndefined()

  const [leaving] = pages
  const later = await asked(() => presence.hide(leaving!.socket))
  expect(lastSeen()['jim']).not.toContain('joe')
  // The rule for a stranger names the user, that for members does not: members are checked together, once to be admitted and once for the message.
  expect([first, later]).toEqual([STRANGERS.length + 1 + 1, 1])
  expect(await asked(() => {})).toBe(0)
  await presence.stop()
})
