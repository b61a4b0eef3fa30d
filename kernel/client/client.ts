import type { ErrorCode } from '../errors.ts'
import type { Domain, FieldName, ModelName, Models, Row, Values } from '../model/models.ts'
import type { Reason } from '../reasons.ts'
import { ModulusError } from './error.ts'
import type { GroupItem, GroupRow, GroupSpec, MeasureSpec } from './group.ts'

export { ModulusError } from './error.ts'
export type { Granularity, GroupRow, GroupSpec, MeasureSpec } from './group.ts'
export type { Domain, ErrorCode, FieldName, ModelName, Models, Reason, Row, Values }

export interface ClientOptions {
  /** Where the service listens, such as `https://erp.example.com`; empty for the page's own origin. */
  readonly url: string
  /** Without a key a browser's session cookie is used; then `csrfToken` is needed for every call. */
  readonly apiKey?: string
  readonly csrfToken?: string
  /** Replacement for the global `fetch`. */
  readonly fetch?: typeof fetch
}

export interface CallOptions {
  /** Aborts the call; it rejects with the `AbortError` of `fetch`. */
  readonly signal?: AbortSignal
  /** Language and time zone to answer in; default: those of the user. */
  readonly lang?: string
  readonly tz?: string
}

export interface ChangeOptions extends CallOptions {
  /** Makes a repeated change safe: the same key with the same body gives the first answer again. */
  readonly idempotencyKey?: string
}

export interface WriteOptions extends ChangeOptions {
  /** Record id → the version the edit began with. Changes that other users made to other fields since then are kept. */
  readonly baseVersion?: Readonly<Record<number, number>>
}

export interface PageOptions extends CallOptions {
  /** At most 500, which is also the default. */
  readonly limit?: number
  /** `"name desc, id"` */
  readonly order?: string
  readonly archived?: 'exclude' | 'include' | 'only'
}

export interface SearchOptions extends PageOptions {
  readonly offset?: number
}

export interface GroupOptions extends SearchOptions {
  /** Monday = 1 (default) … Sunday = 7. */
  readonly weekStart?: number
  /** A domain over the names of the row. */
  readonly having?: readonly unknown[]
}

export interface OnchangeOptions<M extends ModelName> extends CallOptions {
  /** The record being edited; undefined for a new record. */
  readonly id?: number
  /** Limits the answer to these fields. */
  readonly fields?: readonly FieldName<M>[]
  /** For a line that is edited inside another form: that form. */
  readonly parent?: {
    readonly field: FieldName<M>
    readonly id?: number
    readonly values: Readonly<Record<string, unknown>>
  }
}

export interface OnchangeAnswer {
  readonly value: Readonly<Record<string, unknown>>
  readonly warnings: readonly { readonly field?: string; readonly title: string; readonly message: string }[]
  readonly domains?: Readonly<Record<string, readonly unknown[]>>
}

/** The methods of one model over the wire, typed by its declaration. A field the caller may not read is missing from rows. */
export interface RemoteModel<M extends ModelName> {
  /** Whole records; a binary field is its size in bytes, name it in `searchRead` or `read` for the value. */
  search(domain?: Domain<M>, options?: SearchOptions): Promise<Row<M>[]>
  searchRead<const F extends FieldName<M>>(
    domain: Domain<M>,
    fields: readonly F[],
    options?: SearchOptions,
  ): Promise<Row<M, F>[]>
  /** Every matching record, page by page. Each is returned once, even while others write. */
  pages<const F extends FieldName<M>>(
    domain: Domain<M>,
    fields: readonly F[],
    options?: PageOptions,
  ): AsyncIterable<Row<M, F>[]>
  read<const F extends FieldName<M>>(
    ids: readonly number[],
    fields: readonly F[],
    options?: CallOptions,
  ): Promise<Row<M, F>[]>
  readGroup<const G extends GroupItem<M>, const S extends readonly MeasureSpec<M>[] = []>(
    spec: GroupSpec<M, G, S>,
    options?: GroupOptions,
  ): Promise<GroupRow<M, G, S>[]>
  create(values: Values<M>, options?: ChangeOptions): Promise<number>
  createMany(values: readonly Values<M>[], options?: ChangeOptions): Promise<number[]>
  write(ids: readonly number[], values: Values<M>, options?: WriteOptions): Promise<true>
  unlink(ids: readonly number[], options?: ChangeOptions): Promise<true>
  /** Runs an object action on a record. */
  call(
    id: number,
    action: string,
    vals?: Readonly<Record<string, string>>,
    options?: ChangeOptions,
  ): Promise<true | { readonly redirect: string }>
  /** What a form should change after an edit; nothing is written. */
  onchange(
    values: Values<M>,
    changed: FieldName<M> | readonly FieldName<M>[],
    options?: OnchangeOptions<M>,
  ): Promise<OnchangeAnswer>
}

export interface Client {
  model<M extends ModelName>(name: M): RemoteModel<M>
  /** Calls any RPC method, untyped. */
  rpc(
    model: string,
    method: string,
    args: readonly unknown[],
    kwargs?: Readonly<Record<string, unknown>>,
    options?: Pick<ChangeOptions, 'signal' | 'idempotencyKey'>,
  ): Promise<unknown>
}

/** A client for one Modulus service. An error answer throws `ModulusError`; errors of `fetch` are passed on. */
export function createClient(options: ClientOptions): Client {
  const send = sender(options)
  return {
    rpc: async (model, method, args, kwargs = {}, call = {}) =>
      (await send({ model, method, args, kwargs }, call)).result,
    model: (name) => remoteModel(name, send),
  }
}

interface Call {
  readonly model: string
  readonly method: string
  readonly args: readonly unknown[]
  readonly kwargs: Readonly<Record<string, unknown>>
}

interface Answer {
  readonly result: unknown
  /** Null on the last page. */
  readonly nextCursor: string | null
}

type Send = (call: Call, options: Pick<ChangeOptions, 'signal' | 'idempotencyKey'>) => Promise<Answer>

function sender({ url, apiKey, csrfToken, fetch: given }: ClientOptions): Send {
  const send = given ?? globalThis.fetch.bind(globalThis)
  const address = `${url.replace(/\/+$/, '')}/api/rpc`
  const credentials = {
    ...(apiKey !== undefined && { 'x-api-key': apiKey }),
    ...(csrfToken !== undefined && { 'x-csrf-token': csrfToken }),
  }
  return async (call, { signal, idempotencyKey }) => {
    const response = await send(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...credentials,
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify(call),
      ...(signal && { signal }),
    })
    return { result: await unwrap(response), nextCursor: response.headers.get('x-next-cursor') }
  }
}

async function unwrap(response: Response): Promise<unknown> {
  const envelope = parseEnvelope(await response.text())
  if (envelope?.ok === true) return envelope.result
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  throw new ModulusError({
    status: response.status,
    error: envelope?.error ?? null,
    retryAfter: Number.isNaN(seconds) ? null : seconds,
  })
}

interface Envelope {
  readonly ok?: unknown
  readonly result?: unknown
  readonly error?: ConstructorParameters<typeof ModulusError>[0]['error']
}

/** Null if the text is not JSON: a proxy in front of the service has answered. */
function parseEnvelope(text: string): Envelope | null {
  try {
    return JSON.parse(text) as Envelope | null
  } catch {
    return null
  }
}

const FULL_PAGE = 500

/** A full page without a cursor: the sort values of its last row are too long for one. */
const unpageable = ({ order = '' }: PageOptions) =>
  new RangeError(`The order "${order}" goes by too many long texts to be walked page by page.`)

/** Keyword arguments with another name in the API. */
const WIRE_NAMES: Readonly<Record<string, string>> = { weekStart: 'week_start', baseVersion: 'base_version' }

const toKwargs = (options: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [WIRE_NAMES[name] ?? name, value]))

function remoteModel<M extends ModelName>(model: M, send: Send): RemoteModel<M> {
  const ask = (method: string, args: readonly unknown[], { signal, idempotencyKey, ...kwargs }: ChangeOptions = {}) =>
    send(
      { model, method, args, kwargs: toKwargs(kwargs) },
      { ...(signal && { signal }), ...(idempotencyKey !== undefined && { idempotencyKey }) },
    )
  // The service answers with the types the models declare, so the casts are safe.
  const call = async <T>(method: string, args: readonly unknown[], options?: ChangeOptions) =>
    (await ask(method, args, options)).result as T
  return {
    search: (domain = [], options) => call('search', [domain], options),
    searchRead: (domain, fields, options) => call('search_read', [domain, fields], options),
    async *pages<F extends FieldName<M>>(domain: Domain<M>, fields: readonly F[], options: PageOptions = {}) {
      let cursor: string | null = null
      do {
        const page: Answer = await ask('search_read', [domain, fields], { ...options, ...(cursor && { cursor }) })
        cursor = page.nextCursor
        const rows = page.result as Row<M, F>[]
        if (rows.length > 0) yield rows
        const isFull = rows.length > 0 && rows.length >= Math.min(options.limit ?? FULL_PAGE, FULL_PAGE)
        if (isFull && cursor === null) throw unpageable(options)
      } while (cursor !== null)
    },
    read: (ids, fields, options) => call('read', [ids, fields], options),
    readGroup: (spec, options) => call('read_group', [spec], options),
    create: (values, options) => call('create', [values], options),
    createMany: (values, options) => call('create_many', [values], options),
    write: (ids, values, options) => call('write', [ids, values], options),
    unlink: (ids, options) => call('unlink', [ids], options),
    call: (id, action, vals = {}, options) => call('call', [id, action, vals], options),
    onchange: (values, changed, { fields, ...options } = {}) =>
      call('onchange', fields === undefined ? [values, changed] : [values, changed, fields], options),
  }
}
