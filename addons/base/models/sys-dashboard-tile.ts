import {
  AppError,
  behavior,
  defineModel,
  type Env,
  type FieldsOf,
  field,
  invalid,
  isContentViewType,
  LIMITS,
} from '#kernel'
import { readableSort, requireField, usableDomain, usableModel } from './checks.ts'
import { type TileState, usableState } from './tile-state.ts'

/** A tile that shows one number instead of a view. */
const FIGURE = 'figure'
/** Columns of the grid of a dashboard; it has as many rows as its tiles need. */
const COLUMNS = 12
const MAX_ROW = 400
const MAX_HEIGHT = 12

/** A view, or one figure, at a place of a dashboard. Its content is loaded with the rights of the viewer. */
export const sysDashboardTile = defineModel('sys.dashboard.tile', {
  label: 'Dashboard Tile',
  order: 'dashboard_id, y, x, id',
  fields: {
    dashboard_id: field.many2one('sys.dashboard', { required: true, ondelete: 'cascade', index: true }),
    name: field.char({ required: true, size: 100, translate: true }),
    view_type: field.char({ required: true, size: 40, help: 'A kind of view, or `figure`.' }),
    model: field.char({ required: true, size: 100 }),
    action_id: field.many2one('sys.action', { ondelete: 'cascade', help: 'Its domain and views apply.' }),
    domain: field.json<readonly unknown[]>({ help: 'Which of the records it shows.' }),
    context: field.json<TileContext>({ help: 'Under `search`: grouping, measure and other state of the view.' }),
    sort: field.char({ size: 200 }),
    date_field: field.char({
      size: 63,
      label: 'Date of the Period',
      help: 'The period of the dashboard applies to it. Empty: the period does not matter.',
    }),
    company_field: field.char({ compute: 'read', help: 'The field the company of the dashboard applies to, if any.' }),
    x: field.integer({ required: true, default: 0, label: 'Column' }),
    y: field.integer({ required: true, default: 0, label: 'Row' }),
    w: field.integer({ required: true, default: 4, label: 'Width' }),
    h: field.integer({ required: true, default: 4, label: 'Height' }),
  },
  constraints: {
    inside_columns: {
      check: `x >= 0 and w between 1 and ${COLUMNS} and x <= ${COLUMNS} - w`,
      fields: ['x', 'w'],
      message: `A tile lies within the ${COLUMNS} columns.`,
    },
    inside_rows: {
      check: `y between 0 and ${MAX_ROW} and h between 1 and ${MAX_HEIGHT}`,
      fields: ['y', 'h'],
      message: `A tile begins in the first ${MAX_ROW} rows and is at most ${MAX_HEIGHT} rows high.`,
    },
  },
})

/** State of the view as parts of an address, like that of a saved filter. */
export interface TileContext {
  readonly search?: TileState
}

declare module '#kernel' {
  interface Models {
    'sys.dashboard.tile': SysDashboardTile
  }
  interface SysDashboardTile extends FieldsOf<typeof sysDashboardTile> {}
}

export const sysDashboardTileBehavior = behavior('sys.dashboard.tile', {
  computes: {
    company_field: {
      needs: ['model'],
      run: (env, tiles) => new Map(tiles.map(({ id, model }) => [id, companyField(env, model)])),
    },
  },
  checks: [
    { needs: ['view_type'], check: (env, { view_type }) => knownKind(env, view_type) },
    { needs: ['context'], check: (_env, { context }) => tooLong('context', context) ?? usableContext(context) },
    { needs: ['domain'], check: (_env, { domain }) => tooLong('domain', domain) },
    { needs: ['model', 'domain', 'sort', 'date_field', 'context'], checkAll: refuseUnusable },
  ],
  events: {
    created: (env, ids) => requireRoom(env, ids),
    updated: (env, ids, changed) => (changed.has('dashboard_id') ? requireRoom(env, ids) : undefined),
  },
})

const companyField = (env: Env, model: string): string | null => {
  const field = env.registry.model(model)?.fields.get('company_id')
  return field?.relation?.target === 'core.company' ? field.name : null
}

const knownKind = ({ registry }: Env, kind: string) =>
  kind === FIGURE || (isContentViewType(registry, kind) && kind !== 'form')
    ? undefined
    : { view_type: `A tile cannot show a view of the kind ${kind}.` }

/** The query of a tile. */
interface TileQuery {
  readonly id: number
  readonly model: string
  readonly domain: unknown
  readonly sort: string | null
  readonly date_field: string | null
  readonly context: TileContext | null
}

/** Refuses a tile whose query its author may not use, unless the author sees a tile with the same query, since dashboards can be copied. */
async function refuseUnusable(env: Env, tiles: readonly TileQuery[]) {
  for (const tile of tiles) {
    try {
      const problem = explainQuery(env, tile)
      if (problem !== undefined && !(await isSeen(env, tile, tiles))) return problem
    } catch (error) {
      if (!(error instanceof AppError && (await isSeen(env, tile, tiles)))) throw error
    }
  }
  return undefined
}

/** Tiles that are compared with a tile whose query its author may not use. */
const MAX_COMPARED = 100

/** Whether the user sees a tile with the same query; tiles written in the same call do not count. */
async function isSeen(
  env: Env,
  { model, domain, sort, date_field, context }: TileQuery,
  written: readonly TileQuery[],
) {
  const seen = await env.model('sys.dashboard.tile').searchRead(
    [
      ['model', '=', model],
      ['sort', '=', sort],
      ['date_field', '=', date_field],
      ['id', 'not in', written.map(({ id }) => id)],
    ],
    ['domain', 'context'],
    { limit: MAX_COMPARED },
  )
  const own = keyOf({ domain, context })
  return seen.some((each) => keyOf(each) === own)
}

const keyOf = ({ domain, context }: Pick<TileQuery, 'domain' | 'context'>): string =>
  JSON.stringify([domain, Object.entries(context?.search ?? {}).toSorted()])

function explainQuery(env: Env, { model, domain, sort, date_field, context }: TileQuery) {
  return (
    usableModel(env, model) ??
    usableDomain(env, model, domain) ??
    readableSort(env, model, sort) ??
    usableDate(env, model, date_field) ??
    usableState(env, model, context?.search ?? {})
  )
}

/** Limit of the texts of a tile, since a dashboard loads those of all its tiles. */
const MAX_CHARS = 4_000

const tooLong = (name: string, value: unknown) =>
  JSON.stringify(value).length > MAX_CHARS ? { [name]: `At most ${MAX_CHARS} characters as JSON.` } : undefined

function usableContext(context: unknown) {
  if (context === null) return undefined
  const { search = {}, ...rest } = isPlainObject(context) ? context : { search: null }
  return Object.keys(rest).length === 0 &&
    isPlainObject(search) &&
    Object.values(search).every((value) => typeof value === 'string')
    ? undefined
    : { context: 'The state of a view is an object of texts under "search".' }
}

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function usableDate(env: Env, model: string, name: string | null) {
  if (name === null) return undefined
  requireField(env, model, name)
  const field = env.registry.model(model)?.fields.get(name)
  const isDate = field !== undefined && field.column !== null && ['date', 'datetime'].includes(field.type.name)
  return isDate ? undefined : { date_field: `${name} is no stored date of ${model}.` }
}

/** Refuses tiles of one dashboard beyond the limit. */
async function requireRoom(env: Env, placed: readonly number[]): Promise<void> {
  const tiles = env.sudo('a limit counts all tiles of the dashboard', { beyondScope: true }).model('sys.dashboard.tile')
  const rows = await tiles.read(placed, ['dashboard_id'])
  const dashboards = [...new Set(rows.map(({ dashboard_id }) => dashboard_id[0]))]
  const counts = await tiles.countBy('dashboard_id', [['dashboard_id', 'in', dashboards]])
  if ([...counts.values()].some((count) => count > LIMITS.tiles))
    throw invalid('check_failed', {
      dashboard_id: env.t('A dashboard has at most {count} tiles.', { count: LIMITS.tiles }),
    })
}
