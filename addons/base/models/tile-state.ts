import type { Env, Field } from '#kernel'
import { requireField } from './checks.ts'

/** The state of a view as in its address. */
export type TileState = Readonly<Record<string, string>>

const COUNT = '__count'
const NO_COLUMNS = 'none'
const INTERVALS: ReadonlySet<string> = new Set(['hour', 'day', 'week', 'month', 'quarter', 'year'])
const MEASURES: ReadonlySet<string> = new Set(['sum', 'avg', 'count_distinct'])

/** The names in a text; a value that is no text gives none, since another check refuses it. */
const namesIn = (text: unknown): readonly string[] =>
  typeof text === 'string' ? text.split(',').filter((name) => name !== '' && name !== NO_COLUMNS) : []

/** A check of the fields that the state of a view names: groupings and measures. Without it, the view would silently leave unusable ones out. */
export function usableState(env: Env, model: string, { group, cols, measure, measures }: TileState) {
  const level = [...namesIn(group), ...namesIn(cols)].find((item) => !isLevel(env, model, item))
  if (level !== undefined)
    return { context: env.t('Records of {model} cannot be grouped by {field}.', { model, field: level }) }
  const figure = [...namesIn(measure), ...namesIn(measures)].find((key) => !isMeasure(env, model, key))
  if (figure !== undefined)
    return { context: env.t('Records of {model} cannot be measured by {field}.', { model, field: figure }) }
  return undefined
}

/** `stage_id`, `partner_id.country_id`, `date_order:month`. */
function isLevel(env: Env, model: string, item: string): boolean {
  const [path = '', interval, ...more] = item.split(':')
  const field = fieldAt(env, model, path.split('.'))
  if (field === undefined || !field.type.groupable || more.length > 0) return false
  return interval === undefined || (INTERVALS.has(interval) && ['date', 'datetime'].includes(field.type.name))
}

/** `__count`, `amount_total`, `amount_total:avg`, `partner_id:count_distinct`. */
function isMeasure(env: Env, model: string, key: string): boolean {
  if (key === COUNT) return true
  const [name = '', aggregate = 'sum', ...more] = key.split(':')
  const measures: readonly string[] = fieldAt(env, model, [name])?.type.measures ?? []
  return MEASURES.has(aggregate) && measures.includes(aggregate) && more.length === 0
}

/** The field at the end of a path; refuses one that the user may not use. */
function fieldAt(env: Env, model: string, [name = '', ...rest]: readonly string[]): Field | undefined {
  requireField(env, model, name)
  const field = env.registry.model(model)?.fields.get(name)
  if (rest.length === 0) return field
  return field?.relation?.kind === 'many2one' ? fieldAt(env, field.relation.target, rest) : undefined
}
