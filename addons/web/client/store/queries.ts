import type { WireDomain } from '../../../../kernel/view/wire.ts'
import type { CallOptions, Kwargs, Row, Rpc } from '../net/rpc.ts'
import type { Values } from './records.ts'

export interface SearchOptions extends CallOptions {
  readonly limit?: number
  readonly offset?: number
  /** `"name desc, id"` */
  readonly order?: string | undefined
  readonly archived?: 'exclude' | 'include' | 'only' | undefined
  /** Of `read_group`: Monday = 1 (default) … Sunday = 7. */
  readonly week_start?: number
}

export interface Measure {
  readonly name: string
  readonly field: string
  readonly measure: 'sum' | 'count' | 'avg' | 'min' | 'max' | 'count_distinct'
}

/** One group: its keys under the items of `groupby`, its measures under their names. */
export type GroupedRow = Values & {
  readonly __count: number
  readonly __domain: WireDomain
  readonly __range?: Readonly<Record<string, { readonly from: string; readonly to: string }>>
  readonly __set?: number
}

export interface GroupSpec {
  readonly domain: WireDomain
  readonly groupby: readonly string[]
  readonly fields?: readonly Measure[]
  /** Subsets of `groupby`, each grouped by itself; `__set` of a row is the position of its set. */
  readonly sets?: readonly (readonly string[])[]
}

export interface OnchangeAnswer {
  readonly value: Values
  readonly warnings: readonly { readonly field?: string; readonly title: string; readonly message: string }[]
  readonly domains?: Readonly<Record<string, WireDomain>>
}

/** Base versions of the edited records, so that changes of other users are merged or reported. */
export interface WriteOptions extends CallOptions {
  readonly baseVersion?: Readonly<Record<number, number>>
  /** Versions of lines that are written along, by field. */
  readonly lineVersions?: Readonly<Record<string, Readonly<Record<number, number>>>>
}

/** The methods of the service, each as a function over the one call. */
export const searchRead = (
  rpc: Rpc,
  model: string,
  domain: WireDomain,
  fields: readonly string[],
  { signal, ...rest }: SearchOptions = {},
): Promise<readonly Row[]> => rpc.call(model, 'search_read', [domain, fields], kwargsOf(rest), signalOf(signal))

export const readGroup = (
  rpc: Rpc,
  model: string,
  spec: GroupSpec,
  { signal, ...rest }: SearchOptions = {},
): Promise<readonly GroupedRow[]> =>
  rpc.call(model, 'read_group', [{ fields: [], ...spec }], kwargsOf(rest), signalOf(signal))

/** How many records match. */
export async function countRecords(
  rpc: Rpc,
  model: string,
  domain: WireDomain,
  options: CallOptions = {},
): Promise<number> {
  const [total] = await readGroup(rpc, model, { domain, groupby: [] }, options)
  return total?.__count ?? 0
}

/** Typeahead: records whose name contains the text, as pairs. */
export async function searchNames(
  rpc: Rpc,
  model: string,
  text: string,
  domain: WireDomain = [],
  { limit = 8, ...options }: SearchOptions = {},
): Promise<readonly (readonly [id: number, name: string])[]> {
  const matching = text === '' ? domain : [...domain, ['display_name', 'ilike', text]]
  const rows = await searchRead(rpc, model, matching, ['display_name'], { limit, ...options })
  return rows.map((row) => [row.id, String(row['display_name'] ?? '')])
}

export const createRecord = (rpc: Rpc, model: string, values: Values, options?: CallOptions): Promise<number> =>
  rpc.call(model, 'create', [values], {}, options)

export const writeRecords = (
  rpc: Rpc,
  model: string,
  ids: readonly number[],
  values: Values,
  { baseVersion, lineVersions, ...options }: WriteOptions = {},
): Promise<true> =>
  rpc.call(
    model,
    'write',
    [ids, values],
    { ...(baseVersion && { base_version: baseVersion }), ...(lineVersions && { line_versions: lineVersions }) },
    options,
  )

export const unlinkRecords = (rpc: Rpc, model: string, ids: readonly number[], options?: CallOptions): Promise<true> =>
  rpc.call(model, 'unlink', [ids], {}, options)

export interface OnchangeOptions {
  readonly id?: number
  /** Fields the answer may contain. */
  readonly fields?: readonly string[]
  /** For a line: the values of its form, and the field that holds the line. */
  readonly parent?: { readonly field: string; readonly id?: number; readonly values: Values }
  readonly signal?: AbortSignal
}

export const askOnchange = (
  rpc: Rpc,
  model: string,
  values: Values,
  changed: readonly string[],
  { id, fields, parent, signal }: OnchangeOptions = {},
): Promise<OnchangeAnswer> =>
  rpc.call(
    model,
    'onchange',
    [values, changed, ...(fields ? [fields] : [])],
    { ...(id !== undefined && { id }), ...(parent && { parent }) },
    // A save must include values computed from an edit, so it waits for this call, even if the server is away.
    { ...signalOf(signal), isPatient: true },
  )

const kwargsOf = (options: Readonly<Record<string, unknown>>): Kwargs =>
  Object.fromEntries(
    Object.entries(options).filter(
      ([name, value]) => value !== undefined && name !== 'idempotencyKey' && name !== 'keepalive',
    ),
  )

const signalOf = (signal: AbortSignal | undefined): CallOptions => (signal ? { signal } : {})
