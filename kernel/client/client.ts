import type { ActionResult } from '../model/behavior.ts'
import type { Measure } from '../model/field.ts'
import type { Domain, FieldName, ModelName, Models, Row, Values } from '../model/models.ts'
import { ModulusError } from './error.ts'

export { ModulusError } from './error.ts'
export type { Domain, FieldName, ModelName, Models, Row, Values }

export interface ClientOptions {
  /** Where the service listens, such as `https://erp.example.com`; empty for the page's own origin. */
  readonly url: string
  /** Without a key a browser's session cookie is used; then `csrfToken` is needed for every call. */
  readonly apiKey?: string
  readonly csrfToken?: string
  /** Stand-in for the global `fetch`. */
  readonly fetch?: typeof fetch
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Makes a repeated write safe: the same key with the same body gives the first answer again. */
  readonly idempotencyKey?: string
}

export interface SearchKwargs {
  readonly limit?: number
  readonly offset?: number
  /** `"name desc, id"` */
  readonly order?: string
  readonly archived?: 'exclude' | 'include' | 'only'
  readonly lang?: string
  readonly tz?: string
}

export interface GroupSpec<M extends ModelName> {
  readonly domain?: Domain<M>
  readonly groupby: readonly (FieldName<M> | `${FieldName<M>}:${Granularity}` | `${FieldName<M>}.${string}`)[]
  readonly fields?: readonly { readonly name: string; readonly field: FieldName<M>; readonly measure: Measure }[]
}

export type Granularity = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year'

export interface GroupKwargs {
  readonly limit?: number
  readonly offset?: number
  readonly order?: string
  readonly tz?: string
  readonly week_start?: number
  readonly having?: readonly unknown[]
}

export type GroupRow = Readonly<Record<string, unknown>> & {
  readonly __count: number
  readonly __domain: readonly unknown[]
}

export interface OnchangeAnswer {
  readonly value: Readonly<Record<string, unknown>>
  readonly warnings: readonly { readonly field?: string; readonly title: string; readonly message: string }[]
  readonly domains?: Readonly<Record<string, readonly unknown[]>>
}

/** The methods of one model over the wire, typed by its declaration. */
export interface RemoteModel<M extends ModelName> {
  search(domain?: Domain<M>, kwargs?: SearchKwargs, options?: CallOptions): Promise<Row<M>[]>
  searchRead<const F extends FieldName<M>>(
    domain: Domain<M>,
    fields: readonly F[],
    kwargs?: SearchKwargs,
    options?: CallOptions,
  ): Promise<Row<M, F>[]>
  /** Every matching record, page by page, stable while others write. */
  pages<const F extends FieldName<M>>(
    domain: Domain<M>,
    fields: readonly F[],
    kwargs?: Omit<SearchKwargs, 'offset'>,
    options?: CallOptions,
  ): AsyncIterable<Row<M, F>[]>
  read<const F extends FieldName<M>>(
    ids: readonly number[],
    fields: readonly F[],
    options?: CallOptions,
  ): Promise<Row<M, F>[]>
  readGroup(spec: GroupSpec<M>, kwargs?: GroupKwargs, options?: CallOptions): Promise<GroupRow[]>
  create(values: Values<M>, options?: CallOptions): Promise<number>
  createMany(values: readonly Values<M>[], options?: CallOptions): Promise<number[]>
  write(
    ids: readonly number[],
    values: Values<M>,
    options?: CallOptions & { readonly baseVersion?: Readonly<Record<number, number>> },
  ): Promise<true>
  unlink(ids: readonly number[], options?: CallOptions): Promise<true>
  call(
    id: number,
    action: string,
    vals?: Readonly<Record<string, string>>,
    options?: CallOptions,
  ): Promise<ActionResult>
  onchange(
    values: Values<M>,
    changed: FieldName<M> | readonly FieldName<M>[],
    id?: number,
    options?: CallOptions,
  ): Promise<OnchangeAnswer>
}

export interface Client {
  model<M extends ModelName>(name: M): RemoteModel<M>
  /** Any method of the allowlist, untyped. */
  rpc(model: string, method: string, args: readonly unknown[], kwargs?: object, options?: CallOptions): Promise<unknown>
}

interface Answer {
  readonly result: unknown
  readonly nextCursor: string | null
}

/** A client for one Modulus service. Every failure is a `ModulusError` with the code of the contract. */
export function createClient(options: ClientOptions): Client {
  const send = sender(options)
  const rpc: Client['rpc'] = async (model, method, args, kwargs = {}, call = {}) =>
    (await send({ model, method, args, kwargs }, call)).result
  return { rpc, model: (name) => remoteModel(name, rpc, send) }
}

function sender(options: ClientOptions) {
  const doFetch = options.fetch ?? globalThis.fetch.bind(globalThis)
  return async (body: object, { signal, idempotencyKey }: CallOptions): Promise<Answer> => {
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (options.apiKey !== undefined) headers['x-api-key'] = options.apiKey
    if (options.csrfToken !== undefined) headers['x-csrf-token'] = options.csrfToken
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
    const response = await doFetch(`${options.url.replace(/\/$/, '')}/api/rpc`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    })
    return { result: await unwrap(response), nextCursor: response.headers.get('x-next-cursor') }
  }
}

async function unwrap(response: Response): Promise<unknown> {
  const envelope = await response.json().catch(() => null)
  if (envelope?.ok === true) return envelope.result
  throw new ModulusError(response.status, envelope?.error ?? null)
}

function remoteModel<M extends ModelName>(
  model: M,
  rpc: Client['rpc'],
  send: ReturnType<typeof sender>,
): RemoteModel<M> {
  // The service answers exactly the named fields in their declared forms; that contract is what the casts state.
  const call = <T>(method: string, args: readonly unknown[], kwargs?: object, options?: CallOptions) =>
    rpc(model, method, args, kwargs, options) as Promise<T>
  return {
    search: (domain = [], kwargs, options) => call('search', [domain], kwargs, options),
    searchRead: (domain, fields, kwargs, options) => call('search_read', [domain, fields], kwargs, options),
    async *pages<F extends FieldName<M>>(
      domain: Domain<M>,
      fields: readonly F[],
      kwargs = {},
      options: CallOptions = {},
    ) {
      let cursor: string | null = null
      do {
        const page: Answer = await send(
          {
            model,
            method: 'search_read',
            args: [domain, fields],
            kwargs: cursor === null ? kwargs : { ...kwargs, cursor },
          },
          options,
        )
        cursor = page.nextCursor
        const rows = page.result as Row<M, F>[]
        if (rows.length > 0) yield rows
      } while (cursor !== null)
    },
    read: (ids, fields, options) => call('read', [ids, fields], {}, options),
    readGroup: (spec, kwargs, options) => call('read_group', [{ domain: [], fields: [], ...spec }], kwargs, options),
    create: (values, options) => call('create', [values], {}, options),
    createMany: (values, options) => call('create_many', [values], {}, options),
    write: (ids, values, { baseVersion, ...options } = {}) =>
      call('write', [ids, values], baseVersion === undefined ? {} : { base_version: baseVersion }, options),
    unlink: (ids, options) => call('unlink', [ids], {}, options),
    call: (id, action, vals = {}, options) => call('call', [id, action, vals], {}, options),
    onchange: (values, changed, id, options) =>
      call('onchange', [values, changed], id === undefined ? {} : { id }, options),
  }
}
