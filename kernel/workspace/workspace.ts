import type { Env } from '../env.ts'
import { badRequest } from '../errors.ts'
import { type Answer, jsonAnswer, jsonWithMember } from '../http/respond.ts'
import { PAGE_RECORDS } from '../limits.ts'
import { menuText, namingAction, recordNamesOf } from '../navigation/action.ts'
import { navigationOf } from '../navigation/menu.ts'
import { WrittenJson } from '../sql/json-rows.ts'
import { type ContentViewType, contentViewTypes, elementsBelow, isContentViewType } from '../view/arch/arch.ts'
import type { ViewTables } from '../view/tables.ts'
import type { WireAccess, WireArch, WireDomain, WireRecord, WireWorkspace } from '../view/wire.ts'
import { toWireArch } from '../view/wire-arch.ts'
import { contentLoader, type ViewContent } from './content.ts'
import { actionDefaults, viewContext } from './defaults.ts'
import { filterDomain, filterNames } from './filter-domain.ts'
import { loadForm } from './form.ts'
import { allDomains } from './join-domains.ts'
import type { ContentQuery } from './list-page.ts'
import { actionDomain, defaultDomain, openedSearch } from './opened-domain.ts'
import { requestedOrder } from './order.ts'
import { archOfRecord } from './record-access.ts'
import { chooseType, findScreen, type Screen } from './screen.ts'
import { breadcrumbs, formBaseQuery, type ScreenState, viewTabs } from './tabs.ts'
import { textSearchDomain } from './text-search.ts'
import type { WorkspaceQuery } from './workspace-query.ts'

/** Runs a read where a replica may answer it. */
export type OnReplica = <T>(read: (env: Env) => Promise<T>) => Promise<T>

/** A workspace whose records are JSON, as the driver has written them. */
export type Workspace = Omit<WireWorkspace, 'records'> & Pick<ViewContent, 'records'>

/** Everything a client page needs first: the view for this user, its records, tabs and breadcrumbs. */
export async function loadWorkspace(
  env: Env,
  query: WorkspaceQuery,
  csrfToken: string,
  onReplica: OnReplica = (read) => read(env),
): Promise<Workspace> {
  requireKnownType(env, query.view_type)
  const views = await env.views()
  const menus = views.memo(env, 'menus', () => navigationOf(env, views))
  const screen = await findScreen(env, views, menus, query)
  const { action, model } = screen
  const type = chooseType(screen, query)
  const arch = archOf(env, views, screen, type)
  const context = action?.context ?? {}
  const search = openedSearch(env, views, screen)
  const domain = actionDomain(env, screen)
  const filter = query.filter === undefined ? search.defaultFilters : filterNames(query.filter)
  const searchDomain = allDomains([
    query.filter === undefined ? defaultDomain(env, search) : filterDomain(env, search, filter),
    textDomain(env, views, screen, arch, query.q),
  ])
  const recordId = type === 'form' ? (query.id ?? 0) : 0
  const limit = pageSize(arch, action?.limit)
  const offset = query.offset ?? 0
  const contentQuery: ContentQuery = {
    domain: allDomains([domain, searchDomain]),
    fields: recordFields(arch),
    order: query.sort === undefined ? (arch.root.attrs['default_order'] ?? '') : requestedOrder(env, model, query.sort),
    limit,
    offset,
    root: arch.root,
    access: arch.access,
  }
  const form = type === 'form' ? await loadForm(env, model, recordId, contentQuery.fields) : null
  const content: ViewContent =
    form !== null
      ? { records: form, total: form.length, isExact: true }
      : type === 'list'
        ? await onReplica((near) => contentLoader(near, type)(near, model, contentQuery))
        : await contentLoader(env, type as Exclude<ContentViewType, 'form'>)(env, model, contentQuery)
  const title = action === null ? env.t(model.label) : menuText(env, action, action.name)
  const page: ScreenState = { screen, type, recordId, search: { filter: query.filter, q: query.q, sort: query.sort } }
  const [record] = form ?? []
  const shown = record === undefined ? arch : await archOfRecord(env, model, arch, record)
  return {
    actionId: action?.id ?? 0,
    menuId: screen.menuId === null ? '' : String(screen.menuId),
    viewType: type,
    model: model.name,
    recordId,
    formEdit: type === 'form' && isEditable(shown.access, query, recordId),
    csrfToken,
    arch: { ...shown, ...(content.kanban !== undefined && { kanban: content.kanban }) },
    records: content.records,
    viewTabs: viewTabs(env, page),
    breadcrumbs: breadcrumbs(menus, page, title, record === undefined ? env.t('New') : recordName(env, record)),
    listSearch: query.q ?? '',
    listTotal: content.total,
    listTotalExact: content.isExact,
    listSort: query.sort ?? '',
    listOffset: offset,
    listLimit: limit,
    listFilter: filter.join(','),
    formBaseQuery: formBaseQuery(page),
    defaults: actionDefaults(env, model, context),
    title,
    ...recordNamesOf(env, action?.recordNames ? action : namingAction(views, model)),
    domain,
    searchDomain,
    context: viewContext(context),
    search,
    ...(content.window && { window: content.window }),
    help: action?.help ? menuText(env, action, action.help) : null,
    target: action?.target ?? 'current',
  }
}

/** The answer with a workspace. */
export function workspaceAnswer({ records, ...others }: Workspace): Answer {
  return records instanceof WrittenJson
    ? jsonWithMember(others, 'records', records)
    : jsonAnswer({ ...others, records })
}

function requireKnownType({ registry }: Env, type: string | undefined): void {
  if (type === undefined || isContentViewType(registry, type)) return
  const known = contentViewTypes(registry).join(', ')
  throw badRequest('input_invalid', `query.view_type: Must be one of ${known}.`, { path: 'query.view_type' })
}

/** The name of a record; it is translated if the record comes from an addon and the view reads which one. */
const recordName = (env: Env, { display_name: name, module }: WireRecord): string =>
  menuText(env, { module: typeof module === 'string' ? module : null }, String(name))

function archOf(env: Env, views: ViewTables, { action, model }: Screen, type: ContentViewType): WireArch {
  const resolved = views.resolve(model.name, type, action?.viewId)
  if (resolved === null) {
    throw badRequest('view_unknown', `view_type: ${model.label} has nothing to show in a ${type} view.`, {
      path: 'query.view_type',
    })
  }
  return views.memo(env, `${model.name} ${type} ${resolved.viewId}`, () => toWireArch(env, model, type, resolved))
}

/** `q` searches the columns of a list or board; other views use the columns of the list. */
function textDomain(env: Env, views: ViewTables, screen: Screen, arch: WireArch, q: string | undefined): WireDomain {
  const text = q?.trim() ?? ''
  if (text === '') return []
  const { root } = arch.type === 'list' || arch.type === 'kanban' ? arch : archOf(env, views, screen, 'list')
  const columns = [...elementsBelow(root)].flatMap(({ tag, attrs }) => (tag === 'field' ? (attrs['name'] ?? []) : []))
  return textSearchDomain(env, screen.model, [...new Set(columns)], text)
}

/** The fields of the view; editable lists need the version a change is based on. */
function recordFields({ fields, root }: WireArch): readonly string[] {
  const isEdited = root.attrs['editable'] !== undefined || root.attrs['multi_edit'] === '1'
  return [...new Set([...fields.map(({ name }) => name), ...(isEdited ? ['version'] : [])])]
}

function pageSize({ root }: WireArch, ofAction = PAGE_RECORDS): number {
  const ofView = Number(root.attrs['limit'])
  return Number.isInteger(ofView) && ofView >= 1 && ofView <= 500 ? ofView : ofAction
}

/** A new record is always editable; an existing one if `edit` is set and the user may write it. */
const isEditable = ({ write }: WireAccess, { edit }: WorkspaceQuery, recordId: number): boolean =>
  recordId === 0 || (edit === '1' && write)
