import { findXmlids, fullXmlid, splitXmlid } from '../../../data/xmlid.ts'
import { headOf } from '../../../domain/cut-text.ts'
import type { Env } from '../../../env.ts'
import { invalid } from '../../../errors.ts'
import { inBaseLanguage } from '../../../i18n/language.ts'
import type { Model } from '../../../model/registry.ts'
import { readableIds } from '../../../orm/statement/targets.ts'
import { ownTextOf } from '../../../orm/statement/translations.ts'
import { mapInSlices } from '../../../slices.ts'
import { databaseId } from '../../cell/database-id.ts'
import { idOfOwnExternalId } from '../../cell/external-id.ts'
import type { Column } from '../column/column.ts'
import { findByKeys, keyOf } from './key-search.ts'
import { IMPORT_MODULE } from './lookup.ts'
import { type ImportRecord, type Problem, rowProblem } from './record.ts'

export type ImportMode = 'create' | 'upsert'

/** What the import does with a record of the file. */
export type Match =
  | { readonly kind: 'new'; readonly xmlid: string | null }
  | { readonly kind: 'known'; readonly id: number }
  | { readonly kind: 'refused'; readonly problem: Problem }

export interface Matching {
  readonly mode: ImportMode
  readonly columns: readonly Column[]
}

/** Rows of earlier records by their keys: two records of a file must not have the same key. */
export type SeenKeys = Map<string, number>

const identityOf = ({ columns }: Matching) => columns.find(({ line, field }) => line === null && field === null)

/** Whether existing records are searched; if not, each record of the file is a new one. */
export const isMatched = (matching: Matching): boolean =>
  matching.mode === 'upsert' || identityOf(matching) !== undefined

/** For each record the one in the database that it updates, found by external id, database id or the key fields; in a few statements. */
export async function matchRecords(
  env: Env,
  model: Model,
  matching: Matching,
  records: readonly ImportRecord[],
  seen: SeenKeys,
): Promise<readonly Match[]> {
  if (!isMatched(matching)) return records.map(() => ({ kind: 'new', xmlid: null }))
  const identity = identityOf(matching)
  if (identity?.form === 'id') return matchByXmlid(env, model, matching, identity, records, seen)
  if (identity?.form === '.id') return matchById(env, model, matching, identity, records, seen)
  const keys = keyColumns(env, model, matching)
  const found = await findByKeys(
    isEnglish(env, keys, matching) ? inBaseLanguage(env) : env,
    model,
    keys,
    records.map(({ values }) => values),
  )
  return matchByKeys(env, keys, found, records, seen)
}

/** Whether a key is the English text, since the file has that of the caller's language beside it. */
function isEnglish(env: Env, keys: readonly Column[], { columns }: Matching): boolean {
  const names = new Set(columns.map(({ line, field }) => (line === null ? field?.name : undefined)))
  return keys.some(({ field }) => {
    const own = ownTextOf(env, field!)
    return own !== undefined && names.has(own)
  })
}

/** The columns marked as keys, or else that of a field that identifies records: a unique one, or the display name. */
function keyColumns(env: Env, model: Model, { columns }: Matching): readonly Column[] {
  const own = columns.filter(({ line, field }) => line === null && field !== null)
  const marked = own.filter(({ isKey }) => isKey)
  if (marked.length > 0) return marked
  const unique = own.find(({ field }) => field!.unique)
  const named = own.find(({ field }) => model.displayFields.length === 1 && field!.name === model.displayFields[0])
  const key = unique ?? named
  if (key === undefined)
    throw invalid('mapping_invalid', { column_mapping: env.t('Mark the column that identifies records as key.') })
  return [key]
}

const DIGITS = /^\d+$/

async function matchByXmlid(
  env: Env,
  model: Model,
  { mode }: Matching,
  column: Column,
  records: readonly ImportRecord[],
  seen: SeenKeys,
): Promise<readonly Match[]> {
  const xmlids = records.map(({ identity }) => (identity === null ? null : fullXmlid(IMPORT_MODULE, identity)))
  const known = await findXmlids(
    env.tx,
    xmlids.filter((xmlid) => xmlid !== null),
  )
  const own = records.map(({ identity }) => (identity === null ? null : idOfOwnExternalId(model, identity)))
  const visible = new Set(
    await readableIds(env, model, [
      ...own.filter((id) => id !== null),
      ...[...known.values()].filter((each) => each.model === model.name).map((each) => each.res_id),
    ]),
  )
  return records.map((record, index): Match => {
    const xmlid = xmlids[index]!
    const [row] = record.rows as [ImportRecord['rows'][number]]
    const refuse = (message: string): Match => ({ kind: 'refused', problem: rowProblem(row, column, message) })
    if (record.identity === null) return { kind: 'new', xmlid: null }
    // Database ids in the column of external ids would create a second record of each.
    if (DIGITS.test(record.identity))
      return refuse(env.t('Is a number, not an external id. Map the column to .id if it holds database ids.'))
    const ownId = own[index]
    if (xmlid === null && !ownId) return refuse(env.t('Is not a valid external id.'))
    const name = xmlid ?? record.identity
    if (seen.has(name)) return refuse(env.t('Row {row} has the same key.', { row: seen.get(name)! }))
    seen.set(name, row.number)
    const entry = ownId ? { model: model.name, res_id: ownId } : known.get(name)
    if (entry === undefined && env.registry.addons.includes(splitXmlid(name).module))
      return refuse(env.t('External ids that begin with the name of a module are its own.'))
    if (entry === undefined) return { kind: 'new', xmlid }
    if (entry.model !== model.name || !visible.has(entry.res_id))
      return refuse(env.t('Is the external id of another record.'))
    return mode === 'upsert'
      ? { kind: 'known', id: entry.res_id }
      : refuse(env.t('There is a record with this external id already.'))
  })
}

async function matchById(
  env: Env,
  model: Model,
  { mode }: Matching,
  column: Column,
  records: readonly ImportRecord[],
  seen: SeenKeys,
): Promise<readonly Match[]> {
  const ids = records.map(({ identity }) => (identity === null ? null : databaseId(identity)))
  const visible = new Set(
    await readableIds(
      env,
      model,
      ids.filter((id) => id !== null),
    ),
  )
  return records.map(({ identity, rows }, index): Match => {
    const id = ids[index] ?? null
    const refuse = (message: string): Match => ({ kind: 'refused', problem: rowProblem(rows[0]!, column, message) })
    if (identity === null) return { kind: 'new', xmlid: null }
    if (id === null || !visible.has(id))
      return refuse(env.t('There is no record "{text}".', { text: headOf(identity, 80) }))
    const earlier = seen.get(`${id}`)
    if (earlier !== undefined) return refuse(env.t('Row {row} has the same key.', { row: earlier }))
    seen.set(`${id}`, rows[0]!.number)
    if (mode === 'create') return refuse(env.t('There is a record with this id already.'))
    return { kind: 'known', id }
  })
}

function matchByKeys(
  env: Env,
  keys: readonly Column[],
  found: ReadonlyMap<string, readonly number[]>,
  records: readonly ImportRecord[],
  seen: SeenKeys,
): Promise<readonly Match[]> {
  const [first] = keys as readonly [Column, ...Column[]]
  return mapInSlices(env, records, ({ values, rows }): Match => {
    const key = keyOf(keys, values)
    if (key === null) return { kind: 'new', xmlid: null }
    const refuse = (message: string): Match => ({ kind: 'refused', problem: rowProblem(rows[0]!, first, message) })
    const earlier = seen.get(key)
    if (earlier !== undefined) return refuse(env.t('Row {row} has the same key.', { row: earlier }))
    seen.set(key, rows[0]!.number)
    const [id, ...more] = found.get(key) ?? []
    if (id === undefined) return { kind: 'new', xmlid: null }
    if (more.length === 0) return { kind: 'known', id }
    return refuse(env.t('Several records have this key: {ids}.', { ids: [id, ...more].join(', ') }))
  })
}
