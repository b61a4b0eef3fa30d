import type { Db } from '../../../kernel/sql/database.ts'
import { sql } from '../../../kernel/sql/sql.ts'

export interface PresentRow {
  readonly user_id: number
  readonly model: string
  readonly res_id: number
  readonly doing: string
}

export interface Person {
  readonly id: number
  readonly name: string
  /** What the user does at the record; see `client-message.ts`. */
  readonly doing?: string
}

/** People at records, by `model/id`. */
export type People = ReadonlyMap<string, readonly Person[]>

export interface RecordRef {
  readonly model: string
  readonly id: number
}

export const recordKey = ({ model, id }: { readonly model: string; readonly id: number | null }): string =>
  `${model}/${id}`

/** Rows of a process are dropped after this time without a sign of life; a living process renews them twice within it. */
const KEPT_SECONDS = 40

/** Replaces the rows of a process, and drops those of dead processes. */
export async function writePresence(db: Db, process: string, rows: readonly PresentRow[]): Promise<void> {
  await sql`
    with mine as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as m(user_id int, model text, res_id int, doing text)
    ), gone as (
      delete from sys_presence p where p.expires_at < now() or p.process = ${process} and not exists (
        select 1 from mine m where m.user_id = p.user_id and m.model = p.model and m.res_id = p.res_id)
    )
    insert into sys_presence (process, user_id, model, res_id, doing, expires_at)
    select ${process}, m.user_id, m.model, m.res_id, m.doing, now() + ${KEPT_SECONDS} * interval '1 second' from mine m
    on conflict (process, user_id, model, res_id)
      do update set doing = excluded.doing, expires_at = excluded.expires_at`.execute(db)
}

/** The users at these records, and those who drag records of these models. */
export async function readPeople(db: Db, records: readonly RecordRef[], boards: readonly string[]): Promise<People> {
  const { rows } = await sql<Required<Person> & { readonly model: string; readonly res_id: number }>`
    select p.model, p.res_id, u.id, u.name, max(p.doing) as doing
    from sys_presence p join core_user u on u.id = p.user_id and u.active
    where p.expires_at > now() and (
      (p.model, p.res_id) in (
        select * from unnest(${records.map(({ model }) => model)}::text[], ${records.map(({ id }) => id)}::int[]))
      or p.model = any(${boards}::text[]) and p.doing = '@dragging')
    group by p.model, p.res_id, u.id, u.name
    order by u.name, u.id`.execute(db)
  const people = new Map<string, Person[]>()
  for (const { model, res_id, id, name, doing } of rows) {
    const key = recordKey({ model, id: res_id })
    people.set(key, [...(people.get(key) ?? []), { id, name, ...(doing !== '' && { doing }) }])
  }
  return people
}

export async function forgetProcess(db: Db, process: string): Promise<void> {
  await db.deleteFrom('sys_presence').where('process', '=', process).execute()
}
