import { requireModel } from '../../access/acl.ts'
import { asKernel, type Env } from '../../env.ts'
import type { LinkCommand } from '../../model/fields/x2many.ts'
import type { Model } from '../../model/registry.ts'
import { mapInSlices, slicesOf } from '../../slices.ts'
import { requireCompanies } from '../statement/company.ts'
import { defaultValues, hasDefault } from '../statement/defaults.ts'
import { type Insert, insertOf, insertRows } from '../statement/insert.ts'
import { requireTargets } from '../statement/targets.ts'
import { inOwnLanguage } from '../statement/translations.ts'
import { type InputValues, type ParsedValues, parseValues, requiredFields, requireValues } from '../statement/values.ts'
import { requireWritable, type WriteRights } from '../statement/writable.ts'
import { finishCreate } from './finish.ts'
import { nextNumbers } from './sequence.ts'

/** Creates records, one INSERT for all of them; all or nothing. */
export async function create(
  env: Env,
  model: Model,
  records: readonly InputValues[],
  options: WriteRights = {},
): Promise<number[]> {
  const given = await checkNew(env, model, records, options)
  if (records.length === 0) return []
  await requireTargets(env, model, given)
  return insertNew(env, model, await completeNew(env, model, records, given))
}

/** The stored values of a new record. */
export const parseNew = (env: Env, model: Model, values: InputValues): ParsedValues =>
  inOwnLanguage(env, model, parseValues(env, model, values), 'create')

/**
 * The part of a create that needs no statement, so it can run while the database is busy: checks rights and parses the values.
 * `parsed` has, by index, the values of those `records` that are parsed already.
 */
export async function checkNew(
  env: Env,
  model: Model,
  records: readonly InputValues[],
  options: WriteRights = {},
  parsed: readonly (ParsedValues | null)[] = [],
): Promise<readonly ParsedValues[]> {
  requireModel(env, model, 'create')
  for await (const slice of slicesOf(env, records))
    for (const values of slice) requireWritable(env, model, values, options)
  const parse = (values: InputValues, index: number) => parsed[index] ?? parseNew(env, model, values)
  const given = await mapInSlices(env, records, parse, undefined, richTextOf(model))
  requireCompanies(env, model, given)
  return given
}

/** Characters of rich text that take as long to check as the other values of a record. */
const RICH_CHARS = 2_000

/** How many usual records the values of one count for. */
function richTextOf({ fields }: Model): (values: InputValues) => number {
  const rich = [...fields.values()].filter(({ type }) => type.name === 'html').map(({ name }) => name)
  const chars = (value: unknown) => (typeof value === 'string' ? value.length : 0)
  return (values) => rich.reduce((work, name) => work + chars(values[name]) / RICH_CHARS, 1)
}

/** New records with all of their values, and the statement that inserts them. */
export interface CompleteRecords {
  readonly rows: readonly NewRecord[]
  readonly insert: Insert
}

/** Adds the values that the caller did not give: defaults, results of `creating` handlers, and numbers. `given` comes from `checkNew`. */
export async function completeNew(
  env: Env,
  model: Model,
  records: readonly InputValues[],
  given: readonly ParsedValues[],
): Promise<CompleteRecords> {
  const defaults = await missingDefaults(env, model, records)
  const rows = await mapInSlices(env, given, (values) => merge(model, defaults, values))
  await addFromEvents(env, model, rows)
  await numberRows(env, model, rows)
  const needed = requiredFields(model)
  for await (const slice of slicesOf(env, rows)) for (const row of slice) requireValues(env, needed, row.columns)
  const columns = rows.map((row) => row.columns)
  return { rows, insert: insertOf(env, model, columns) }
}

/** Whether `completeNew` draws no numbers and calls no handlers, so that it may run before the records of an earlier batch are created. */
export const canCompleteEarly = ({ fields, events }: Model): boolean =>
  events.every(({ creating }) => creating === undefined) &&
  [...fields.values()].every(({ sequence }) => sequence === null)

/** Inserts complete records and runs the steps after an INSERT. `onInsert` is called as soon as the statement is sent. */
export async function insertNew(
  env: Env,
  model: Model,
  { rows, insert }: CompleteRecords,
  onInsert: () => void = () => {},
): Promise<number[]> {
  const inserting = insertRows(env, model, insert)
  onInsert()
  const ids = await inserting
  await finishCreate(env, model, ids, rows)
  return ids
}

/**
 * Defaults of the fields that some of the records do not set. A default that is a function runs once per call, not per
 * record.
 */
async function missingDefaults(env: Env, model: Model, records: readonly InputValues[]): Promise<ParsedValues> {
  const missing = [...model.fields.values()]
    .filter((field) => hasDefault(field) && records.some((values) => values[field.name] === undefined))
    .map((field) => field.name)
  // Defaults come from the server, so a field that the caller may not write gets its default, too.
  return parseValues(asKernel(env), model, await defaultValues(env, model, missing))
}

/** Adds what the `creating` handlers return; like defaults these values come from the server. */
async function addFromEvents(env: Env, model: Model, rows: readonly NewRecord[]): Promise<void> {
  for (const { creating } of model.events) {
    if (creating === undefined) continue
    const records = await mapInSlices(env, rows, ({ columns, links }) => Object.fromEntries([...columns, ...links]))
    const added: readonly InputValues[] = await creating(env, records as never)
    const parsed = await mapInSlices(env, added, (values) => parseValues(asKernel(env), model, values))
    for (const [i, { columns, links, inverses }] of parsed.entries()) {
      for (const [name, value] of columns) rows[i]!.columns.set(name, value)
      for (const [name, commands] of links) rows[i]!.links.set(name, commands)
      for (const [name, value] of inverses) rows[i]!.inverses.set(name, value)
    }
  }
}

/** Defaults that follow from other values of the same record. */
function defaultFromValues(model: Model, given: ParsedValues, { columns }: NewRecord): void {
  for (const { name, defaultFrom } of model.fields.values()) {
    if (defaultFrom === undefined || given.columns.has(name)) continue
    const value = defaultFrom(Object.fromEntries(columns))
    if (value !== undefined) columns.set(name, value)
  }
}

/** A row before its INSERT; fields with a sequence have no number yet. */
interface NewRecord extends ParsedValues {
  readonly columns: Map<string, unknown>
  readonly links: Map<string, readonly LinkCommand[]>
  readonly inverses: Map<string, unknown>
}

/** Numbers are drawn for all records at once and are part of the INSERT. */
async function numberRows(env: Env, model: Model, rows: readonly NewRecord[]): Promise<void> {
  for (const { name, sequence } of model.fields.values()) {
    const unnumbered = sequence === null ? [] : rows.filter(({ columns }) => (columns.get(name) ?? null) === null)
    if (unnumbered.length === 0) continue
    const numbers = await nextNumbers(env, sequence!, unnumbered.length)
    for (const [i, { columns }] of unnumbered.entries()) columns.set(name, numbers[i])
  }
}

function withDefaults<T>(given: ReadonlyMap<string, T>, defaults: ReadonlyMap<string, T>): Map<string, T> {
  const values = new Map(given)
  for (const [name, value] of defaults) if (!values.has(name)) values.set(name, value)
  return values
}

function merge(model: Model, defaults: ParsedValues, given: ParsedValues): NewRecord {
  const record = {
    columns: withDefaults(given.columns, defaults.columns),
    links: withDefaults(given.links, defaults.links),
    inverses: new Map(given.inverses),
  }
  defaultFromValues(model, given, record)
  return record
}
