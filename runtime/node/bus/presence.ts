import { deliveriesOf } from '../../../kernel/live/deliveries.ts'
import type { LoggedEvent } from '../../../kernel/live/follow-outbox.ts'
import { mayReachRecord } from '../../../kernel/orm/record/require-record.ts'
import type { Services } from '../../../kernel/services.ts'
import { sql } from '../../../kernel/sql/sql.ts'
import { type BusSocket, Frame } from './bus-socket.ts'
import type { Reader, Readers } from './readers.ts'

export interface PresenceOptions {
  readonly services: Services
  readonly readers: Readers
  readonly process: string
}

export interface OpenRecord {
  readonly model: string
  readonly id: number
}

/** Shows people who else has the same record open, whichever process serves them. */
export interface Presence {
  /** The record that is open on a page; null: none. */
  show(reader: Reader, socket: BusSocket, record: OpenRecord | null): void
  hide(socket: BusSocket): void
  /** Tells what has changed since the last time. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

interface Person {
  readonly id: number
  readonly name: string
}

interface Page {
  readonly reader: Reader
  readonly record: OpenRecord
  /** What it was told last. */
  told: string
}

/** A process that has died is forgotten after this time; one that lives says so twice within it. */
const KEPT_SECONDS = 40
const RENEW_MS = 15_000
const SOON_MS = 50

export function openPresence({ services, readers, process }: PresenceOptions): Presence {
  const { db } = services
  const pages = new Map<BusSocket, Page>()
  /** Not admitted yet. */
  const asked = new Map<BusSocket, Pick<Page, 'reader' | 'record'>>()
  /** What the table says of this process. */
  let written = ''
  let writtenAt = 0

  /** Makes the rows of this process those of its open pages. */
  async function write(): Promise<void> {
    const rows = [...new Map([...pages.values()].map((page) => [pageKey(page), page])).entries()]
    const now = rows
      .map(([key]) => key)
      .toSorted()
      .join()
    if (now === written && (now === '' || performance.now() - writtenAt < RENEW_MS)) return
    const values = rows.map(([, { reader, record }]) => ({
      user_id: reader.session.user.id,
      model: record.model,
      res_id: record.id,
    }))
    await sql`
      with mine as (
        select * from json_to_recordset(${JSON.stringify(values)}::json) as m(user_id int, model text, res_id int)
      ), gone as (
        delete from sys_presence p where p.expires_at < now() or p.process = ${process} and not exists (
          select 1 from mine m where m.user_id = p.user_id and m.model = p.model and m.res_id = p.res_id)
      )
      insert into sys_presence (process, user_id, model, res_id, expires_at)
      select ${process}, m.user_id, m.model, m.res_id, now() + ${KEPT_SECONDS} * interval '1 second' from mine m
      on conflict (process, user_id, model, res_id) do update set expires_at = excluded.expires_at`.execute(db)
    written = now
    writtenAt = performance.now()
  }

  async function peopleAt(records: readonly OpenRecord[]): Promise<ReadonlyMap<string, readonly Person[]>> {
    const { rows } = await sql<Person & { model: string; res_id: number }>`
      select distinct p.model, p.res_id, u.id, u.name
      from unnest(${records.map(({ model }) => model)}::text[], ${records.map(({ id }) => id)}::int[]) as r(model, res_id)
        join sys_presence p on p.model = r.model and p.res_id = r.res_id and p.expires_at > now()
        join core_user u on u.id = p.user_id and u.active
      order by u.name, u.id`.execute(db)
    const people = new Map<string, Person[]>()
    for (const { model, res_id, id, name } of rows) {
      const key = recordKey({ model, id: res_id })
      people.set(key, [...(people.get(key) ?? []), { id, name }])
    }
    return people
  }

  /** Sends a page the others at its record, if they are others than before and its user may read the record. */
  async function tell(): Promise<void> {
    if (pages.size === 0) return
    const people = await peopleAt([
      ...new Map([...pages.values()].map(({ record }) => [recordKey(record), record])).values(),
    ])
    for (const [socket, page] of pages) {
      const { reader, record } = page
      const users = (people.get(recordKey(record)) ?? []).filter(({ id }) => id !== reader.session.user.id)
      const told = JSON.stringify(users)
      if (told === page.told) continue
      const [delivery] = await deliveriesOf([readers.envOf(reader)], [presenceOf(record, users)])
      if (pages.get(socket) !== page) continue
      page.told = told
      if (delivery) socket.send([new Frame(delivery)])
      else pages.delete(socket)
    }
  }

  /** Admits pages whose user may read the record they show. */
  async function admit(): Promise<void> {
    for (const [socket, { reader, record }] of [...asked]) {
      asked.delete(socket)
      const isSeen = await mayReachRecord(readers.envOf(reader), record.model, record.id, ['read'])
      if (isSeen && reader.sockets.has(socket) && !asked.has(socket)) pages.set(socket, { reader, record, told: '[]' })
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

  /** A moment later, so that a page that hurries from record to record costs little. */
  let soon: NodeJS.Timeout | undefined
  const refreshSoon = (): void => {
    soon ??= setTimeout(() => {
      soon = undefined
      refresh().catch(() => undefined)
    }, SOON_MS).unref()
  }

  return {
    show(reader, socket, record) {
      pages.delete(socket)
      asked.delete(socket)
      if (record !== null) asked.set(socket, { reader, record })
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
      await sql`delete from sys_presence where process = ${process}`.execute(db).catch(() => undefined)
    },
  }
}

const recordKey = ({ model, id }: OpenRecord): string => `${model}/${id}`

const pageKey = ({ reader, record }: Page): string => `${reader.session.user.id}/${recordKey(record)}`

/** As if it stood in the log, so that it is judged by the same access. */
const presenceOf = ({ model, id }: OpenRecord, users: readonly Person[]): LoggedEvent => ({
  id: 0,
  channel: 'presence',
  payload: { model, id, users },
  userId: null,
  companyId: null,
  before: null,
  ageMs: 0,
})
