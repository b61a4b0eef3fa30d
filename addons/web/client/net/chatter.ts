import type { Transport } from './transport.ts'

export interface ChatterChange {
  readonly field: string
  readonly label: string
  readonly old: unknown
  readonly new: unknown
  /** Currency of an amount. */
  readonly currency?: string
}

export interface ChatterMessage {
  readonly id: number
  readonly author: readonly [id: number, name: string] | null
  /** Sanitised HTML. */
  readonly body: string
  readonly kind: 'comment' | 'note' | 'tracking'
  readonly date: string
  readonly changes: readonly ChatterChange[]
}

export interface ChatterPage {
  readonly messages: readonly ChatterMessage[]
  readonly more: boolean
  /** Creator and date of the record, if there are no older messages. */
  readonly created?: Pick<ChatterMessage, 'author' | 'date'>
}

export interface ChatterQuery {
  readonly model: string
  readonly resId: number
  /** Only messages older than this one. */
  readonly before?: number
  readonly limit?: number
  readonly only?: ChatterPart
}

/** Messages of users, or tracked changes. */
export type ChatterPart = 'messages' | 'changes'

export async function fetchMessages(
  transport: Transport,
  base: string,
  { model, resId, before, limit, only }: ChatterQuery,
  signal?: AbortSignal,
): Promise<ChatterPage> {
  const query = new URLSearchParams({ model, res_id: String(resId) })
  if (before !== undefined) query.set('before', String(before))
  if (limit !== undefined) query.set('limit', String(limit))
  if (only !== undefined) query.set('only', only)
  const { json } = await transport.send(`${base}/chatter?${query}`, {
    method: 'GET',
    repeatable: true,
    ...(signal && { signal }),
  })
  // The contract of GET /web/wc/chatter.
  return json as ChatterPage
}

export interface NewMessage {
  readonly model: string
  readonly resId: number
  /** Plain text, or HTML. */
  readonly content: { readonly text: string } | { readonly body: string }
  readonly kind: 'comment' | 'note'
}

export async function postMessage(transport: Transport, message: NewMessage): Promise<ChatterMessage> {
  const form = new URLSearchParams({
    model: message.model,
    res_id: String(message.resId),
    ...message.content,
    kind: message.kind,
  })
  const { json } = await transport.send('/web/chatter/post', {
    method: 'POST',
    body: form.toString(),
    contentType: 'application/x-www-form-urlencoded',
    // The form route takes no idempotency key, so the user decides what to do after a lost answer.
    repeatable: false,
  })
  // The contract of POST /web/chatter/post.
  return (json as { readonly message: ChatterMessage }).message
}
