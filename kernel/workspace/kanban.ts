import { mayReadField, mayUseModel } from '../access/acl.ts'
import type { Env } from '../env.ts'
import { LIMITS } from '../limits.ts'
import type { Field } from '../model/fields/field.ts'
import type { Model } from '../model/registry.ts'
import { type GroupResult, readGroup } from '../orm/group/group.ts'
import { searchIds } from '../orm/record/search.ts'
import { searchTop } from '../orm/record/search-top.ts'
import { modelOf } from '../orm/statement/scope.ts'
import { type ArchNode, elementsOf } from '../view/arch/arch.ts'
import type { WireAccess, WireKanban, WireKanbanColumn } from '../view/wire.ts'
import { type Content, type ContentQuery, loadPage, wireRecords } from './list-page.ts'
import { valueLabel } from './value-label.ts'

/** The board: its columns with counts, sums and progress, and the first cards of each. Ungrouped it is a page like a list. */
export async function loadBoard(
  env: Env,
  model: Model,
  query: ContentQuery,
): Promise<Content & { readonly kanban: WireKanban }> {
  const groupBy = query.root.attrs['default_group_by'] ?? ''
  const field = model.fields.get(groupBy.split(':')[0]!)
  const flags = boardFlags(query.root.attrs, query.access, field)
  if (field === undefined) {
    return { ...(await loadPage(env, model, query)), kanban: { groupField: '', ...flags, columns: [] } }
  }
  const columns = await loadColumns(env, model, query, groupBy, field)
  const records = await loadCards(env, model, query, field)
  const total = columns.reduce((sum, { count }) => sum + count, 0)
  return {
    records,
    total,
    isExact: columns.length < LIMITS.records,
    kanban: { groupField: groupBy, ...flags, columns },
  }
}

/** The actions that the view offers and the user has the right to. */
function boardFlags(attrs: ArchNode['attrs'], access: WireAccess, field: Field | undefined) {
  const isFixed = field === undefined || field.readonly || (field.compute !== null && field.compute.inverse === null)
  return {
    draggable: attrs['records_draggable'] !== '0' && access.write && !isFixed,
    quickCreate: attrs['quick_create'] !== '0' && access.create,
  }
}

async function loadColumns(
  env: Env,
  model: Model,
  query: ContentQuery,
  groupBy: string,
  field: Field,
): Promise<readonly WireKanbanColumn[]> {
  const bar = elementsOf(query.root).find(({ tag }) => tag === 'progressbar')?.attrs ?? {}
  const summed = model.fields.get(bar['sum_field'] ?? '')
  const isSummed = summed?.column != null && summed.type.measures.includes('sum')
  const measures = isSummed ? [{ name: 'sum', field: summed.name, measure: 'sum' }] : []
  const currency = isSummed ? currencyOf(env, model, summed) : null
  const { domain } = query
  const rows = await readGroup(
    env,
    model,
    { domain, groupby: [groupBy], fields: measures },
    { expand: true, limit: LIMITS.records },
  )
  const bars = model.fields.get(bar['field'] ?? '')?.name ?? null
  const parts = await loadParts(env, model, query, groupBy, [bars, currency], measures)
  const progress = parts(bars, (row) => columnValue(row[bars!]), '__count')
  const sums = parts(currency, (row) => nameOf(row[currency!]), 'sum')
  const folded = await foldedTargets(env, field)
  return withEmptyKeys(rows, groupBy, field).map((row) => {
    const value = columnValue(row[groupBy])
    const sum = Number(row['sum'] ?? 0)
    const own = currency === groupBy ? { [nameOf(row[groupBy])]: sum } : sums && (sums.get(value) ?? {})
    const addsUp = currency === null || (own !== null && Object.keys(own).length < 2)
    return {
      value,
      label: valueLabel(env, field, row[groupBy]),
      count: Number(row['__count']),
      fold: folded.has(value),
      sum: isSummed && addsUp ? sum : null,
      ...(own && { sums: own }),
      progress: progress && (progress.get(value) ?? {}),
      domain: row['__domain'] as WireKanbanColumn['domain'],
    }
  })
}

/** Every key of a selection is a column, even without records, so that cards can be moved there. */
function withEmptyKeys(rows: readonly GroupResult[], groupBy: string, { selection }: Field): readonly GroupResult[] {
  if (selection === null) return rows
  const found = new Map(rows.map((row) => [row[groupBy], row]))
  const unset = found.get(null)
  const keys = [...selection.keys()].map(
    (key): GroupResult => found.get(key) ?? { [groupBy]: key, __count: 0, __domain: [[groupBy, '=', key]] },
  )
  return unset === undefined ? keys : [...keys, unset]
}

/** Name of the field with the currency of an amount; null for other numbers. */
function currencyOf(env: Env, { fields }: Model, { currencyField }: Field): string | null {
  const field = currencyField === null ? undefined : fields.get(currencyField)
  return field?.column != null && mayReadField(env, field) ? field.name : null
}

/** The columns divided by one field: the value of each part, by its key. */
type Parts = (
  field: string | null,
  keyOf: (row: GroupResult) => unknown,
  measure: string,
) => ReadonlyMap<unknown, Readonly<Record<string, number>>> | null

/** A board with more parts than this shows no progress, rather than a wrong one. */
const MAX_PARTS = 5_000

/** Divides the columns by each of the fields, in one statement. */
async function loadParts(
  env: Env,
  model: Model,
  { domain }: ContentQuery,
  groupBy: string,
  names: readonly (string | null)[],
  fields: readonly { readonly name: string; readonly field: string; readonly measure: string }[],
): Promise<Parts> {
  const by = [...new Set(names)].flatMap((name) => (name === null || name === groupBy ? [] : [name]))
  const sets = by.map((name) => [groupBy, name])
  const rows =
    by.length === 0
      ? []
      : await readGroup(env, model, { domain, groupby: [groupBy, ...by], fields, sets }, { limit: MAX_PARTS + 1 })
  return (field, keyOf, measure) => {
    const set = by.indexOf(field ?? '')
    if (set < 0 || rows.length > MAX_PARTS) return null
    const found = new Map<unknown, Record<string, number>>()
    for (const row of rows) {
      if (row['__set'] !== set) continue
      const column = columnValue(row[groupBy])
      found.set(column, { ...found.get(column), [String(keyOf(row) ?? '')]: Number(row[measure] ?? 0) })
    }
    return found
  }
}

/** Ids of the columns that are closed by the field `fold` of their model. */
async function foldedTargets(env: Env, { relation }: Field): Promise<ReadonlySet<unknown>> {
  if (relation?.kind !== 'many2one' || !mayUseModel(env, relation.target, 'read')) return new Set()
  const target = modelOf(env, relation.target)
  const fold = target.fields.get('fold')
  if (fold?.column == null || fold.type.comparison !== 'boolean' || !mayReadField(env, fold)) return new Set()
  return new Set(await searchIds(env, target, { domain: [['fold', '=', true]] }))
}

/**
 * If the board is grouped by a link or a stored value, the first cards of each column are loaded; otherwise the first records
 * of a list.
 */
async function loadCards(env: Env, model: Model, query: ContentQuery, by: Field): Promise<Content['records']> {
  const isColumn = by.column !== null && by.type.comparison !== 'date' && by.type.comparison !== 'datetime'
  const page = { ...query, limit: LIMITS.records, offset: 0 }
  if (!isColumn) return (await loadPage(env, model, page)).records
  const { domain, fields, order } = query
  const cards = await searchTop(env, model, { domain, fields, order, by, top: LIMITS.columnCards, limit: page.limit })
  return wireRecords(cards)
}

/** The value of a column; for a link its id. */
const columnValue = (value: unknown): unknown => (Array.isArray(value) ? value[0] : (value ?? null))

/** The name of a link; empty without one. */
const nameOf = (value: unknown): string => (Array.isArray(value) ? String(value[1]) : '')
