/** The query of a page: exactly the parameters of the interface. */
export interface RouteParams {
  readonly action?: number
  readonly menu_id?: string
  readonly view_type?: string
  readonly id?: number
  readonly edit?: boolean
  readonly model?: string
  /** Names of filters of the search view. An empty list is none at all; absent, the action's own apply. */
  readonly filter?: readonly string[]
  /** `field` or `-field` */
  readonly sort?: string
  readonly offset?: number
  readonly q?: string
}

/** An address of the client, parsed. Equal routes have equal addresses. */
export interface Route {
  readonly path: string
  readonly params: RouteParams
  /** State the server does not know: group-by, chart kind, scale. Lives in the fragment. */
  readonly state: Readonly<Record<string, string>>
  /** Other parameters, such as a message after an import; kept as they are. */
  readonly extra: Readonly<Record<string, string>>
}

interface Codec<K extends keyof RouteParams> {
  readonly name: K
  /** Undefined if the text is not valid. */
  read(text: string): RouteParams[K] | undefined
  write(value: NonNullable<RouteParams[K]>): string
  /** Whether the parameter has a meaning without a value. */
  readonly mayBeEmpty?: true
}

const whole = (text: string, least: number): number | undefined => {
  const number = Number(text)
  return /^\d{1,15}$/.test(text) && number >= least ? number : undefined
}
const text = (value: string): string | undefined => (value === '' ? undefined : value)

const codec = <K extends keyof RouteParams>(each: Codec<K>): Codec<K> => each

/** In the order in which they stand in an address. */
const CODECS = [
  codec({ name: 'action', read: (raw) => whole(raw, 1), write: String }),
  codec({ name: 'menu_id', read: text, write: String }),
  codec({ name: 'model', read: text, write: String }),
  codec({ name: 'view_type', read: text, write: String }),
  codec({ name: 'id', read: (raw) => whole(raw, 1), write: String }),
  codec({ name: 'edit', read: (raw) => (raw === '1' ? true : undefined), write: () => '1' }),
  codec({ name: 'filter', read: readNames, write: (names) => names.join(','), mayBeEmpty: true }),
  codec({ name: 'sort', read: text, write: String }),
  codec({ name: 'offset', read: (raw) => whole(raw, 1), write: String }),
  codec({ name: 'q', read: text, write: String }),
] as const

const NAMES: ReadonlySet<string> = new Set(CODECS.map(({ name }) => name))

function readNames(raw: string): readonly string[] {
  return raw.split(',').filter((name) => name !== '')
}

/** Parses a path with query and fragment; invalid parameters are left out. */
export function parseRoute(address: string): Route {
  const [beforeHash = '', hash = ''] = split(address, '#')
  const [path = '', search = ''] = split(beforeHash, '?')
  const query = new URLSearchParams(search)
  const params: Record<string, unknown> = {}
  for (const { name, read } of CODECS) {
    const raw = query.get(name)
    const value = raw === null ? undefined : read(raw)
    if (value !== undefined) params[name] = value
  }
  return {
    path,
    // Each codec reads the type of its own parameter.
    params: params as RouteParams,
    state: Object.fromEntries([...new URLSearchParams(hash)].filter(([, value]) => value !== '')),
    extra: Object.fromEntries([...query].filter(([name]) => !NAMES.has(name))),
  }
}

/** The address of a route; parameters in a fixed order, so that equal routes have equal addresses. */
export function formatRoute({ path, params, state, extra }: Route): string {
  const query = formatQuery(params, extra)
  const hash = new URLSearchParams(Object.entries(state).filter(([, value]) => value !== '')).toString()
  return `${path}${query === '' ? '' : `?${query}`}${hash === '' ? '' : `#${hash}`}`
}

export function formatQuery(params: RouteParams, extra: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams()
  for (const { name, write, mayBeEmpty } of CODECS) {
    const value = params[name]
    if (value === undefined) continue
    // Each codec writes the type of its own parameter.
    const raw = (write as (value: unknown) => string)(value)
    if (raw !== '' || mayBeEmpty) query.set(name, raw)
  }
  for (const [name, value] of Object.entries(extra)) query.set(name, value)
  return query.toString()
}

/** The route with other parameters; undefined removes one. */
export function changeRoute(
  route: Route,
  params: RouteChange,
  state: Readonly<Record<string, string | undefined>> = {},
): Route {
  return {
    ...route,
    params: compact({ ...route.params, ...params }),
    state: compact({ ...route.state, ...state }),
  }
}

export type RouteChange = { readonly [K in keyof RouteParams]?: RouteParams[K] | undefined }

// Dropping what is undefined is what makes it the type without undefined.
const compact = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

function split(value: string, mark: string): readonly [string, string] {
  const at = value.indexOf(mark)
  return at < 0 ? [value, ''] : [value.slice(0, at), value.slice(at + 1)]
}

/** Whether both show the same view with the same data source, so that it may stay on screen while it is updated. */
export const isSameView = (a: Route, b: Route): boolean =>
  a.path === b.path &&
  a.params.action === b.params.action &&
  a.params.model === b.params.model &&
  a.params.view_type === b.params.view_type &&
  a.params.id === b.params.id

/** Converts the sort of an address into an order: `-date` becomes `date desc`. */
export const orderOf = (sort: string): string => (sort.startsWith('-') ? `${sort.slice(1)} desc` : sort)
