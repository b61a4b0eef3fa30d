import { EPOCH_SOURCE } from '../epoch.ts'
import { PAGE_RECORDS } from '../limits.ts'
import type { Registry } from '../model/registry.ts'
import type { Db } from '../sql/database.ts'
import { listColumn } from '../sql/list-column.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { type ContentViewType, isContentViewType } from './arch/arch.ts'
import { buildViewTables } from './build-tables.ts'
import type { MenuRow, ViewRow, ViewTables, WindowAction } from './tables.ts'

/** Active rows that belong to an active module or to none. */
const SHOWN = sql`t.active and (t.module is null or t.module in (select name from sys_module where state = 'installed'))`

const xmlids = (model: string): Sql<unknown> => sql`
  left join (select res_id, min(module || '.' || name) as xmlid from sys_xmlid where model = ${model} group by res_id) x
    on x.res_id = t.id`

const VIEWS = sql<ViewRow>`
  select t.id, t.name, t.model, t.type, t.arch, t.inherit_id as "inheritId", t.priority, t.mode, t.module, x.xmlid,
    t.module is null or coalesce(t.write_uid, 0) <> 0 as edited
  from sys_view t ${xmlids('sys.view')} where ${SHOWN} order by t.priority, t.id`

interface ActionRow extends Omit<WindowAction, 'viewModes' | 'context' | 'limit'> {
  readonly viewModes: string
  readonly context: WindowAction['context'] | null
  readonly limit: number | null
}

const ACTIONS = sql<ActionRow>`
  select t.id, t.name, t.model, t.record_name as "recordName", t.record_names as "recordNames", t.view_modes as "viewModes", t.view_id as "viewId", t.search_view_id as "searchViewId",
    t.domain, t.context, t."limit", t.target, t.help, t.module, x.xmlid,
    array(select target_id from sys_action_group_ids_rel where source_id = t.id order by 1) as "groupIds"
  from sys_action t ${xmlids('sys.action')} where ${SHOWN} order by t.id`

const readAction = (registry: Registry, row: ActionRow): WindowAction => ({
  ...row,
  viewModes: readModes(registry, row.viewModes),
  context: row.context ?? {},
  limit: row.limit ?? PAGE_RECORDS,
})

const readModes = (registry: Registry, text: string): readonly ContentViewType[] =>
  text
    .split(',')
    .map((mode) => mode.trim())
    .filter((mode) => isContentViewType(registry, mode))

const MENUS = sql<MenuRow>`
  select t.id, t.name, t.parent_id as "parentId", t.action_id as "actionId", t.page, t.sequence, t.icon, t.technical, t.module, x.xmlid,
    array(select target_id from sys_menu_group_ids_rel where source_id = t.id order by 1) as "groupIds"
  from sys_menu t ${xmlids('sys.menu')} where ${SHOWN} order by t.sequence, t.id`

/** Views, actions and menus of the registry's modules, and those without a module; in one statement, so that they fit each other. */
export async function loadViewTables(db: Db, registry: Registry): Promise<ViewTables> {
  type Row = { epoch: number; views: readonly ViewRow[]; actions: readonly ActionRow[]; menus: readonly MenuRow[] }
  const { rows } = await sql<Row>`
    select e.views as epoch, ${listColumn(VIEWS)} as views, ${listColumn(ACTIONS)} as actions,
      ${listColumn(MENUS)} as menus from ${EPOCH_SOURCE}`.execute(db)
  const { epoch, views, actions, menus } = rows[0]!
  const known = new Set<string | null>([null, ...registry.addons])
  const ours = <T extends { readonly module: string | null }>(rows: readonly T[]) =>
    rows.filter(({ module }) => known.has(module))
  return buildViewTables(registry, epoch, {
    views: ours(views),
    actions: ours(actions).map((row) => readAction(registry, row)),
    menus: ours(menus),
  })
}
