import { useEffect, useState } from 'preact/hooks'
import type { WireDomain, WireWorkspace } from '../../../../kernel/view/wire.ts'
import { formatInteger } from '../core/format.ts'
import { t, tn } from '../core/i18n.ts'
import type { Route } from '../router/codec.ts'
import { menuIcon, menuLocation } from '../router/menus.ts'
import { services } from '../services.ts'
import { countRecords } from '../store/queries.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import type { IconName } from '../ui/icon-names.ts'
import { SafeHtml } from '../ui/safe-html.tsx'
import { VIEW_ICONS } from '../ui/view-icons.ts'
import { searchChanges } from './query/change-search.ts'
import { facetsOf } from './query/facets.ts'
import { searchOf } from './query/search-model.ts'
import { isNewOffered, newHref } from './record-links.ts'

export interface NoRecordsProps {
  readonly workspace: WireWorkspace
  readonly route: Route
  /** Default grouping of the view. */
  readonly groupFallback?: string
  /** Creates a record inside the view. By default New opens the form. */
  readonly onNew?: (() => void) | undefined
}

/** What the filter of archived records asks for. */
const ARCHIVED = '[["active","=",false]]'

/**
 * Empty state of a view: either the search matches nothing, or there are no records yet. Filters that the action switched on
 * may also hide all there is, so then the records without them are counted first; and all of them may be archived.
 */
export function NoRecords({ workspace, route, groupFallback = '', onNew }: NoRecordsProps) {
  const { help, title, recordNames, viewType } = workspace
  const facets = facetsOf(workspace, route, groupFallback).filter(({ isGroup }) => !isGroup)
  const isAsked =
    route.params.filter !== undefined || route.params.q !== undefined || searchOf(workspace, route).isNarrowed
  const changes = searchChanges(workspace, route, groupFallback)
  const clear = facets.length > 0 && (
    <Button label={t('Clear filters')} onClick={() => void services().router.go(changes.clear())} />
  )
  const { model, domain } = workspace
  const total = useCount(model, !isAsked && facets.length > 0 ? domain : null)
  const archive = workspace.search.filters.find((filter) => JSON.stringify(filter.domain) === ARCHIVED)
  const archived = useCount(model, archive ? [...domain, ...JSON.parse(ARCHIVED)] : null)
  if (total === null || archived === null) return null
  if (clear && (isAsked || total > 0)) {
    const text = route.params.q
    return (
      <div class="scroll">
        <Empty
          icon="search-x"
          title={text === undefined ? t('Nothing matches') : t('Nothing matches “{text}”', { text })}
          text={tn(facets.length, 'One filter is on.', '{n} filters are on.')}
          actions={clear}
        />
      </div>
    )
  }
  if (archived > 0)
    return (
      <div class="scroll">
        <Empty
          icon="archive"
          title={tn(archived, '{n} record is archived', '{n} records are archived', { n: formatInteger(archived) })}
          text={t('There are no others here.')}
          actions={
            <Button
              label={t('Show archived')}
              onClick={() => void services().router.go(changes.change({ filter: [archive!.name] }, {}))}
            />
          }
        />
      </div>
    )
  return (
    <div class="scroll">
      <Empty
        icon={placeIcon(viewType)}
        title={t('Nothing here yet')}
        text={
          help !== null ? (
            <SafeHtml html={help} class="help" />
          ) : recordNames ? (
            t('This is where {things} appear.', { things: recordNames[1] })
          ) : (
            t('Records of {title} appear here.', { title })
          )
        }
        actions={
          // What adds up records has no new ones.
          !ANALYSES.has(viewType) &&
          isNewOffered(workspace) && (
            <Button
              label={t('New')}
              icon="plus"
              kind="primary"
              {...(onNew ? { onClick: onNew } : { href: newHref(workspace) })}
            />
          )
        }
      />
    </div>
  )
}

/** How many records there are; null until it is known. 0 where nothing is asked. */
function useCount(model: string, domain: WireDomain | null): number | null {
  const [count, setCount] = useState<number | null>(domain === null ? 0 : null)
  const asked = JSON.stringify(domain)
  useEffect(() => {
    if (domain !== null) countRecords(services().rpc, model, domain).then(setCount, () => setCount(0))
  }, [asked])
  return domain === null ? 0 : count
}

const ANALYSES: ReadonlySet<string> = new Set(['graph', 'pivot', 'cohort'])

/** Icon of the current menu; if it shows a kind of view, that of the view on screen. */
function placeIcon(viewType: string): IconName {
  const { menu } = menuLocation().value
  const { form: _, ...kinds } = VIEW_ICONS
  const isKind = !menu?.icon || Object.values(kinds).some((icon) => icon === menu.icon)
  // Menus of addons may use any icon name: the build adds those icons to the sprite.
  return isKind ? (VIEW_ICONS[viewType] ?? 'inbox') : (menuIcon(menu) as IconName)
}
