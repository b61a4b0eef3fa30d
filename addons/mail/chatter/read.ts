import { displayNames, type Env, type Field, mayReadField, sql, type TrackedChange } from '#kernel'
import { type ShownChange, showChanges } from './changes.ts'
import { requireThread, type Thread } from './thread.ts'

/** A message as the chatter shows it. */
export interface ShownMessage {
  readonly id: number
  /** Null: the service itself. */
  readonly author: readonly [id: number, name: string | null] | null
  /** Sanitised markup. */
  readonly body: string
  readonly kind: 'comment' | 'note' | 'tracking'
  readonly date: string
  readonly changes: readonly ShownChange[]
}

export interface MessagePage {
  /** The newest first. */
  readonly messages: readonly ShownMessage[]
  /** Whether there are older ones. */
  readonly more: boolean
  /** The creator of the record and the time, if there are no older messages. */
  readonly created?: Pick<ShownMessage, 'author' | 'date'>
}

export interface MessageQuery extends Thread {
  /** Only messages older than this one. */
  readonly before?: number | undefined
  readonly limit: number
  /** Only messages that users wrote, or only tracked changes. */
  readonly only?: 'messages' | 'changes' | undefined
}

interface MessageRow {
  readonly id: number
  readonly author_id: number | null
  readonly body: string | null
  readonly kind: ShownMessage['kind']
  readonly date: string
  readonly changes: readonly TrackedChange[] | null
}

/** Messages of a record the caller may read. Changes of fields they may not read are left out. */
export async function readMessages(env: Env, { before, limit, only, ...thread }: MessageQuery): Promise<MessagePage> {
  const model = await requireThread(env, thread, 'read')
  const readable = new Map([...model.fields].filter(([, field]) => mayReadField(env, field)))
  const { rows } = await sql<MessageRow>`
    select id, author_id, body, kind, date, changes from mail_message
    where model = ${model.name} and res_id = ${thread.id} and (${before ?? null}::int is null or id < ${before ?? null}::int)
      and (${only ?? null}::text is null or (kind = 'tracking') = (${only ?? null}::text = 'changes'))
      and (kind <> 'tracking' or exists (
        select from jsonb_array_elements(changes) as change where change ->> 'field' = any(${[...readable.keys()]}::text[])))
    order by id desc limit ${limit + 1}`.execute(env.tx)
  const messages = await showMessages(env, readable, rows.slice(0, limit))
  return rows.length > limit ? { messages, more: true } : { messages, more: false, created: await madeBy(env, thread) }
}

async function madeBy(env: Env, { model, id }: Thread): Promise<NonNullable<MessagePage['created']>> {
  // Every model has these fields, so the type of another model fits.
  const [record] = await env.model(model as 'core.user').read([id], ['create_uid', 'create_date'])
  return { author: record!.create_uid, date: record!.create_date }
}

/** One message, as its author gets it back. */
export async function readMessage(env: Env, thread: Thread, id: number): Promise<ShownMessage> {
  const { messages } = await readMessages(env, { ...thread, before: id + 1, limit: 1 })
  return messages[0]!
}

async function showMessages(
  env: Env,
  readable: ReadonlyMap<string, Field>,
  rows: readonly MessageRow[],
): Promise<readonly ShownMessage[]> {
  const authors = [...new Set(rows.flatMap(({ author_id }) => author_id ?? []))]
  const users = env.registry.model('core.user')!
  const names = authors.length === 0 ? new Map<number, string>() : await displayNames(env, users, authors)
  const changes = await showChanges(
    env,
    readable,
    rows.map((row) => row.changes),
  )
  const messages = rows.map(
    ({ id, author_id, body, kind, date }, index): ShownMessage => ({
      id,
      author: author_id === null ? null : [author_id, names.get(author_id) ?? null],
      body: body ?? '',
      kind,
      date,
      changes: changes[index]!,
    }),
  )
  return messages.filter(({ kind, changes: shown }) => kind !== 'tracking' || shown.length > 0)
}
