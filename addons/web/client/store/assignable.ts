import type { WireDomain } from '../../../../kernel/view/wire.ts'
import { services } from '../services.ts'

/** Records for which a responsible user is to be chosen; see POST /web/wc/assignable. */
export interface AskedFor {
  readonly model: string
  readonly field: string
  /** Empty for a record that is not saved yet. */
  readonly ids: readonly number[]
  /** Changed values of the form; only links count. */
  readonly changes: Readonly<Record<string, unknown>>
  /** If several users are responsible: those who stay. */
  readonly kept: readonly number[]
}

/** Ids that one call takes; see `LIMITS.ids` of the server. */
const MAX_IDS = 1000

let last: { readonly body: string; readonly users: Promise<readonly number[] | null> } | null = null

/** The users whom the server allows, as a domain. It is cached while the user types. */
export async function assignableDomain(asked: AskedFor, isTyping: boolean): Promise<WireDomain> {
  const body = JSON.stringify({
    model: asked.model,
    field: asked.field,
    ids: asked.ids.slice(0, MAX_IDS),
    kept: asked.kept,
    links: Object.fromEntries(Object.entries(asked.changes).filter(([, value]) => isLinkValue(value))),
  })
  if (!isTyping || last?.body !== body) last = { body, users: askFor(body) }
  const users = await last.users
  return users === null ? [] : [['id', 'in', users]]
}

const isLinkValue = (value: unknown): boolean => value === null || Number.isSafeInteger(value)

async function askFor(body: string): Promise<readonly number[] | null> {
  const { transport, session } = services()
  const url = `${session.bootstrap.wcApiBase}/assignable`
  const { json } = await transport.send(url, { method: 'POST', body, repeatable: true })
  return (json as { readonly users: readonly number[] | null }).users
}
