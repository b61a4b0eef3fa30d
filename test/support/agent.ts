import { CookieJar } from './cookie-jar.ts'
import { requireReason, requireReasonOf } from './reasons.ts'

/** Sends a request to a path of a host. */
export type Fetch = (path: string, init?: RequestInit) => Promise<Response>

export interface RpcError {
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

export interface Envelope {
  readonly ok: boolean
  // Tests know the result of their call and compare the whole value.
  readonly result: unknown
  readonly error: RpcError | null
}

export interface RpcAnswer extends Envelope {
  readonly status: number
  readonly headers: Headers
}

export type FormFields = Readonly<Record<string, string | readonly string[]>>

const JSON_BODY = { 'content-type': 'application/json' }
const PAGE = { accept: 'text/html,application/xhtml+xml' }

/** The CSRF token in the forms of a page. */
export function formToken(page: string): string {
  const token = /name="csrf_token" value="([^"]+)"/.exec(page)?.[1]
  if (token === undefined) throw new Error(`There is no form on this page:\n${page}`)
  return token
}

type HeaderTable = Readonly<Record<string, string>>

/** A caller with the headers it always sends and the cookies it was given. */
export class Agent {
  readonly #fetch: Fetch
  readonly headers: HeaderTable
  readonly cookies: CookieJar

  constructor(fetch: Fetch, headers: HeaderTable, cookies = new CookieJar()) {
    this.#fetch = fetch
    this.headers = headers
    this.cookies = cookies
  }

  /** Sends a request to a path; every error must have its reason. A `cookie` among the headers stands in for the jar. */
  async fetch(path: string, init: RequestInit = {}, headers: HeaderTable = {}): Promise<Response> {
    return requireReason(await this.#send(path, init, headers))
  }

  async #send(path: string, init: RequestInit, headers: HeaderTable): Promise<Response> {
    const { header } = this.cookies
    const all = { ...(header !== null && { cookie: header }), ...this.headers, ...headers }
    const response = await this.#fetch(path, { ...init, headers: all })
    this.cookies.store(response.headers)
    return response
  }

  /** The caller with more or other headers. */
  with(headers: HeaderTable): Agent {
    return new Agent(this.#fetch, { ...this.headers, ...headers }, this.cookies)
  }

  /** The caller without a header. */
  without(name: string): Agent {
    const { [name]: _left, ...rest } = this.headers
    return new Agent(this.#fetch, rest, this.cookies)
  }

  get(path: string, headers: HeaderTable = {}): Promise<Response> {
    return this.fetch(path, { redirect: 'manual' }, headers)
  }

  /** Opens a page as a browser does; its text. */
  async page(path: string): Promise<string> {
    return (await this.get(path, PAGE)).text()
  }

  /** Sends a form as a browser does, without following where it leads. */
  submit(path: string, fields: FormFields, headers: HeaderTable = {}): Promise<Response> {
    const pairs = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((item) => [name, item]))
    const body = new URLSearchParams(pairs).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return this.fetch(path, { method: 'POST', body, redirect: 'manual' }, { ...PAGE, ...type, ...headers })
  }

  /** Opens a page with a form and sends the form with its token and what is filled in. */
  async fill(path: string, fields: FormFields, action = path.split('?')[0]!): Promise<Response> {
    return this.submit(action, { csrf_token: formToken(await this.page(path)), ...fields })
  }

  /** Posts text or bytes to `/api/rpc` as JSON, unless other headers say otherwise. */
  post(body: BodyInit, headers: HeaderTable = {}): Promise<Response> {
    return this.fetch('/api/rpc', { method: 'POST', body }, { ...JSON_BODY, ...headers })
  }

  /** Sends any value as the whole JSON body. */
  async send(body: unknown, headers: HeaderTable = {}): Promise<RpcAnswer> {
    const init = { method: 'POST', body: JSON.stringify(body) }
    const response = await this.#send('/api/rpc', init, { ...JSON_BODY, ...headers })
    const { ok, result, error } = (await response.json()) as Envelope
    // Checked here, since `fetch` has to copy an answer to look into it.
    requireReasonOf(error)
    return { ok, result, error, status: response.status, headers: response.headers }
  }

  /** Calls a method; the envelope as it came. */
  async rpc(
    model: string,
    method: string,
    args: readonly unknown[] = [],
    kwargs?: Readonly<Record<string, unknown>>,
  ): Promise<Envelope> {
    const { ok, result, error } = await this.send({ model, method, args, ...(kwargs && { kwargs }) })
    return { ok, result, error }
  }

  /** Calls a method that must succeed; its result. */
  async must<T>(
    model: string,
    method: string,
    args: readonly unknown[] = [],
    kwargs?: Readonly<Record<string, unknown>>,
  ): Promise<T> {
    const { result, error } = await this.rpc(model, method, args, kwargs)
    if (error) throw new Error(`${model}.${method}: ${error.code} ${error.message} ${JSON.stringify(error.details)}`)
    // The test names the type it expects and compares the value right after.
    return result as T
  }
}
