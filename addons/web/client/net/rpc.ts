import { createCoalescedRead } from './coalesce.ts'
import { CallError, type ClientErrorCode } from './errors.ts'
import { createInFlight } from './in-flight.ts'
import type { RetryKeys, SentChange } from './retry-keys.ts'
import type { Transport } from './transport.ts'

export type Kwargs = Readonly<Record<string, unknown>>

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Own key of a change, to repeat it by hand later; default: a new one per call. */
  readonly idempotencyKey?: string
  /** Sends it even while the page is being closed. */
  readonly keepalive?: boolean
  /** Waits for a server that is away or busy, and is sent again when it is back; `signal` ends that. See `retry.ts`. */
  readonly isPatient?: boolean
}

/** The body of a change, and the records it is about, if it names them. */
type Posted = Readonly<Record<string, unknown>> & { readonly ids?: readonly number[] }

export type Row = Readonly<Record<string, unknown>> & { readonly id: number }

/** JSON-RPC. Equal reads at the same time are sent once; changes carry a key, so that a repeat is safe. */
export interface Rpc {
  call<T = unknown>(
    model: string,
    method: string,
    args: readonly unknown[],
    kwargs?: Kwargs,
    options?: CallOptions,
  ): Promise<T>
  /** Records by id. Calls of one moment for the same fields of a model travel together. */
  read(model: string, ids: readonly number[], fields: readonly string[], options?: CallOptions): Promise<readonly Row[]>
  /** Makes a change at another address than `call`, marked as one of this client; `touched` returns the changed records from its answer. */
  post<T>(
    model: string,
    path: string,
    body: Posted,
    touched: (answer: T) => readonly number[],
    options?: CallOptions,
  ): Promise<T>
  /** Called after a change by this client, so that its own event on the bus is recognised. */
  onChanged(listener: (model: string, ids: readonly number[]) => void): () => void
  /** Whether a change to records of this model has no answer yet. */
  isChanging(model: string): boolean
  /** An event has announced a change: for a short time, reads request a state that includes it, which a replica may not have yet. */
  expectNews(): void
}

/** After these errors it is unknown whether the change was made. */
const UNKNOWN_OUTCOME: ReadonlySet<ClientErrorCode> = new Set(['OFFLINE', 'UNAVAILABLE'])

const NEWS_MS = 2_000

const READS = new Set(['search', 'search_read', 'read', 'read_group', 'onchange'])

/** Parts of the client that are loaded after the first paint. */
export interface RpcHost {
  retry?: Retry
  retryKeys?: RetryKeys
}

/** Runs a call until the server has answered it, or refuses it for good. */
export type Retry = <T>(run: () => Promise<T>, signal?: AbortSignal) => Promise<T>

export function createRpc(url: string, transport: Transport, host: RpcHost = {}): Rpc {
  const listeners = new Set<(model: string, ids: readonly number[]) => void>()
  const inFlight = createInFlight()
  /** Models of the changes without an answer so far. */
  const changing: string[] = []
  let newsUntil = 0
  /** Counts changes known to this client: an answer to an earlier request may not include them. */
  let changes = 0

  const patiently = <T>({ isPatient, signal }: CallOptions, run: () => Promise<T>): Promise<T> =>
    (isPatient && host.retry?.(run, signal)) || run()

  async function change(sent: SentChange, options: CallOptions): Promise<unknown> {
    const idempotencyKey = options.idempotencyKey ?? host.retryKeys?.take(sent) ?? transport.uniqueId()
    try {
      const json = await patiently(options, () => send(sent.path, sent.body, { ...options, idempotencyKey }))
      host.retryKeys?.answered(sent)
      return json
    } catch (error) {
      if (error instanceof CallError && UNKNOWN_OUTCOME.has(error.code)) host.retryKeys?.keep(sent, idempotencyKey)
      throw error
    }
  }

  async function send(path: string, body: string, options: CallOptions, isNewest = false): Promise<unknown> {
    const { json } = await transport.send(path, {
      method: 'POST',
      body,
      repeatable: true,
      isNewest,
      ...(options.signal && { signal: options.signal }),
      ...(options.keepalive && { keepalive: true }),
      ...(options.idempotencyKey !== undefined && { idempotencyKey: options.idempotencyKey }),
    })
    return json
  }

  async function call<T>(
    model: string,
    method: string,
    args: readonly unknown[],
    kwargs: Kwargs = {},
    options: CallOptions = {},
  ): Promise<T> {
    const body = JSON.stringify({ model, method, args, ...(Object.keys(kwargs).length > 0 && { kwargs }) })
    if (READS.has(method)) {
      return patiently(options, () => {
        const isNewest = performance.now() < newsUntil
        return inFlight.share(`${changes} ${isNewest} ${body}`, options.signal, async (signal) =>
          resultOf<T>(await send(url, body, { signal }, isNewest)),
        )
      })
    }
    return own(
      model,
      async () => resultOf<T>(await change({ path: url, model, body, ids: touchedIds(method, args, []) }, options)),
      (result) => touchedIds(method, args, result),
    )
  }

  async function own<T>(model: string, run: () => Promise<T>, touched: (answer: T) => readonly number[]): Promise<T> {
    changing.push(model)
    try {
      const result = await run()
      const ids = touched(result)
      changes++
      for (const listener of listeners) listener(model, ids)
      return result
    } finally {
      changing.splice(changing.indexOf(model), 1)
    }
  }

  const read = createCoalescedRead((model, ids, fields, signal) =>
    call<readonly Row[]>(model, 'read', [ids, fields], {}, signal ? { signal } : {}),
  )

  return {
    call,
    post: <T>(
      model: string,
      path: string,
      body: Posted,
      touched: (answer: T) => readonly number[],
      options: CallOptions = {},
    ) => {
      const sent = { path, model, body: JSON.stringify(body), ids: body.ids ?? [] }
      return own<T>(model, () => change(sent, options) as Promise<T>, touched)
    },
    read: (model, ids, fields, options = {}) => patiently(options, () => read(model, ids, fields, options.signal)),
    onChanged(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isChanging: (model) => changing.includes(model),
    expectNews() {
      changes++
      newsUntil = performance.now() + NEWS_MS
    },
  }
}

/** An answer that is ok has the method's result; its shape is the method's contract. */
const resultOf = <T>(json: unknown): T => (json as { readonly result: T }).result

/** Ids a change is about: what `create` answers, else the first argument. */
function touchedIds(method: string, args: readonly unknown[], result: unknown): readonly number[] {
  const named = method.startsWith('create') ? result : args[0]
  return [named].flat().filter((id): id is number => typeof id === 'number')
}
