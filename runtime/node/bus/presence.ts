import { mayReadField } from '../../../kernel/access/acl.ts'
import type { Env } from '../../../kernel/env.ts'
import { deliveriesOf } from '../../../kernel/live/deliveries.ts'
import type { LoggedEvent } from '../../../kernel/live/follow-outbox.ts'
import { isVisible, visibleUsers } from '../../../kernel/live/visible-users.ts'
import type { Services } from '../../../kernel/services.ts'
import { type BusSocket, Frame } from './bus-socket.ts'
import {
  forgetProcess,
  type People,
  type Person,
  type PresentRow,
  type RecordRef,
  readPeople,
  recordKey,
  writePresence,
} from './presence-table.ts'
import type { BusReader, Readers } from './readers.ts'

export interface PresenceOptions {
  readonly services: Services
  readonly readers: Pick<Readers, 'envOf'>
  readonly process: string
}

/** What a page shows: a record, or with id null a board of many. */
export interface OpenRecord {
  readonly model: string
  readonly id: number | null
  readonly doing?: string | undefined
}

/** Shows users who else has the same record open and what they do there, if they may see those users, across all processes. */
export interface Presence {
  /** The record that is open on a page; null: none. */
  show(reader: BusReader, socket: BusSocket, record: OpenRecord | null): void
  hide(socket: BusSocket): void
  /** Sends the changes since the last time. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

interface Page {
  readonly reader: BusReader
  record: OpenRecord
  /** The last message sent about each record. */
  readonly told: Map<number, string>
}

/** A record that a page shows, and the message about it for its user. */
interface View {
  readonly socket: BusSocket
  readonly page: Page
  readonly env: Env
  readonly record: RecordRef
  readonly users: readonly Person[]
}

const RENEW_MS = 15_000
const SOON_MS = 50
const NOBODY = '[]'

export function openPresence({ services, readers, process }: PresenceOptions): Presence {
  const { db } = services
  const pages = new Map<BusSocket, Page>()
  /** Pages whose right to read their record is not checked yet. */
  const asked = new Map<BusSocket, Pick<Page, 'reader' | 'record'>>()
  /** The rows of this process in the table. */
  let written = NOBODY
  let writtenAt = 0

  /** Stores the open pages of this process. */
  async function write(): Promise<void> {
    const rows = rowsOf(pages.values())
    const now = JSON.stringify(rows)
    if (now === written && (now === NOBODY || performance.now() - writtenAt < RENEW_MS)) return
    await writePresence(db, process, rows)
    written = now
    writtenAt = performance.now()
  }

  /** Sends pages the other users at their records, if these have changed and the user may read the record. */
  async function tell(): Promise<void> {
    if (pages.size === 0) return
    const shown = [...pages.values()].map(({ record }) => record)
    const records = new Map(shown.filter(isOne).map((record) => [recordKey(record), record]))
    const boards = new Set(shown.filter(({ id }) => id === null).map(({ model }) => model))
    const people = await readPeople(db, [...records.values()], [...boards])
    const changed = (await viewsOf(pages, people)).filter(
      ({ page, record, users }) => JSON.stringify(users) !== (page.told.get(record.id) ?? NOBODY),
    )
    const mayRead = await readersOf(changed)
    for (const { socket, page, env, record, users } of changed) {
      if (pages.get(socket) !== page) continue
      if (users.length === 0) page.told.delete(record.id)
      else page.told.set(record.id, JSON.stringify(users))
      if (mayRead(env, record)) socket.send([new Frame(presenceOf(record, users))])
      else if (page.record.id !== null) pages.delete(socket)
    }
  }

  /** The message for each page, whether it was sent before or not. */
  async function viewsOf(those: ReadonlyMap<BusSocket, Page>, people: People): Promise<readonly View[]> {
    const envs = new Map([...those.values()].map(({ reader }) => [reader, readers.envOf(reader)]))
    const views = [...those].flatMap(([socket, page]) => {
      const env = envs.get(page.reader)!
      return aboutWhich(page, people).map((record) => {
        const users = (people.get(recordKey(record)) ?? []).filter(({ id }) => id !== env.user.id)
        return { socket, page, env, record, users }
      })
    })
    const withOthers = views.filter(({ users }) => users.length > 0)
    const visible = await visibleUsers(
      [...new Set(withOthers.map(({ env }) => env))],
      withOthers.flatMap(({ users }) => users.map(({ id }) => id)),
    )
    return views.map((view) => ({
      ...view,
      users: view.users
        .filter(({ id }) => isVisible(visible, view.env, id))
        .map((person) => seenBy(view.env, view.record.model, person)),
    }))
  }

  /** Admits pages whose user may read what they show. */
  async function admit(): Promise<void> {
    const requests = [...asked].map(([socket, request]) => ({
      ...request,
      socket,
      request,
      env: readers.envOf(request.reader),
    }))
    const mayRead = await readersOf(requests)
    for (const { socket, request, reader, record, env } of requests) {
      if (asked.get(socket) !== request) continue
      asked.delete(socket)
      if (mayRead(env, record) && reader.sockets.has(socket)) pages.set(socket, { reader, record, told: new Map() })
    }
  }

  let running: Promise<void> | null = null
  const refresh = (): Promise<void> => {
    running ??= (async () => {
      await admit()
      await write()
      await tell()
    })().finally(() => {
      running = null
    })
    return running
  }

  /** Delayed a little, so that quickly moving from record to record costs little. */
  let soon: NodeJS.Timeout | undefined
  const refreshSoon = (): void => {
    soon ??= setTimeout(() => {
      soon = undefined
      refresh().catch(() => undefined)
    }, SOON_MS).unref()
  }

  return {
    show(reader, socket, record) {
      const page = pages.get(socket)
      const isSame = page !== undefined && page.record.model === record?.model && page.record.id === record.id
      asked.delete(socket)
      if (isSame) page.record = record
      else {
        pages.delete(socket)
        if (record !== null) asked.set(socket, { reader, record })
      }
      refreshSoon()
    },
    hide(socket) {
      asked.delete(socket)
      if (pages.delete(socket)) refreshSoon()
    },
    refresh,
    async stop() {
      clearTimeout(soon)
      await running?.catch(() => undefined)
      await forgetProcess(db, process).catch(() => undefined)
    },
  }
}

const isOne = (record: OpenRecord): record is OpenRecord & RecordRef => record.id !== null

/** The rows of pages; for several pages of one user at one record, the one with an activity counts. */
function rowsOf(pages: Iterable<Page>): readonly PresentRow[] {
  const rows = new Map<string, PresentRow>()
  for (const { reader, record } of pages) {
    if (!isOne(record)) continue
    const user_id = reader.session.user.id
    const key = `${user_id}/${recordKey(record)}`
    const doing = record.doing || rows.get(key)?.doing || ''
    rows.set(key, { user_id, model: record.model, res_id: record.id, doing })
  }
  return [...rows.values()]
}

/** The records that a page gets messages about: its own, or on a board those that are being dragged or were dragged before. */
function aboutWhich({ record, told }: Page, people: People): readonly RecordRef[] {
  if (isOne(record)) return [record]
  const { model } = record
  const dragged = [...people]
    .filter(([key, those]) => key.startsWith(`${model}/`) && those.some(({ doing }) => doing === '@dragging'))
    .map(([key]) => Number(key.slice(model.length + 1)))
  return [...new Set([...dragged, ...told.keys()])].map((id) => ({ model, id }))
}

/** Which readers may read which records, or with id null their model; read once for all of them. */
async function readersOf(
  those: readonly { readonly env: Env; readonly record: OpenRecord }[],
): Promise<(env: Env, record: OpenRecord) => boolean> {
  const records = new Map(those.map(({ record }) => [recordKey(record), record]))
  const envs = new Set(those.map(({ env }) => env))
  const found = new Map([...records.keys()].map((key) => [key, new Set<Env>()]))
  const events = [...records.values()].map((record) => presenceOf(record, []))
  for (const { payload, readers } of await deliveriesOf([...envs], events))
    for (const env of readers) found.get(`${payload['model']}/${payload['id']}`)?.add(env)
  return (env, record) => found.get(recordKey(record))?.has(env) ?? false
}

/** A person without a field that the reader may not read. */
function seenBy(env: Env, model: string, { id, name, doing }: Person): Person {
  const field = doing === undefined ? undefined : env.registry.model(model)?.fields.get(doing)
  const isShown = doing === '@writing' || doing === '@dragging' || (field !== undefined && mayReadField(env, field))
  return { id, name, ...(isShown && { doing: doing! }) }
}

/** Presence in the form of a logged event, so that the same access checks apply. */
const presenceOf = ({ model, id }: OpenRecord, users: readonly Person[]): LoggedEvent => ({
  id: 0,
  channel: 'presence',
  payload: { model, id, users },
  userId: null,
  companyId: null,
  before: null,
  ageMs: 0,
})
