import { useEffect, useState } from 'preact/hooks'
import type { WireDomain, WireWorkspace } from '../../../../kernel/view/wire.ts'
import { formatInteger, formatList } from '../core/format.ts'
import { t, tn } from '../core/i18n.ts'
import { recordsText } from '../core/records-text.ts'
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
import { type Facet, facetsOf } from './query/facets.ts'
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

/** The domain of the filter for archived records. */
const ARCHIVED = '[["active","=",false]]'

/**
 * Empty state of a view: either the search matches nothing, then it says how many records the filters hide; or there are no records
 * yet, or all of them are archived. Filters that the action switched on are not mentioned where there is nothing for them to hide.
 */
export function NoRecords({ workspace, route, groupFallback = '', onNew }: NoRecordsProps) {
  const { help, title, recordNames, viewType } = workspace
  const facets = facetsOf(workspace, route, groupFallback).filter(({ isGroup }) => !isGroup)
  const isAsked =
    route.params.filter !== undefined || route.params.q !== undefined || searchOf(workspace, route).isNarrowed
  const changes = searchChanges(workspace, route, groupFallback)
  const { model, domain } = workspace
  const total = useCount(model, facets.length > 0 ? domain : null)
  const archive = workspace.search.filters.find((filter) => JSON.stringify(filter.domain) === ARCHIVED)
  const archived = useCount(model, archive ? [...domain, ...JSON.parse(ARCHIVED)] : null)
  if (total === null && !isAsked) return null
  if (facets.length > 0 && (isAsked || total)) {
    const text = route.params.q
    // A searched text alone does not count as hiding records.
    const isHiding = total && facets.some(({ key }) => key !== 'q')
    return (
      <div class="scroll">
        <Empty
          icon="search-x"
          title={text === undefined ? t('Nothing matches') : t('Nothing matches “{text}”', { text })}
          {...(isHiding && {
            text: tn(total, '{records} is hidden by {filters}.', '{records} are hidden by {filters}.', {
              records: recordsText(total, recordNames),
              filters: formatList(facets.map(quotedFacet)),
            }),
          })}
          actions={<Button label={t('Show all')} onClick={() => void services().router.go(changes.clear())} />}
        />
      </div>
    )
  }
  if (archived === null) return null
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
          // Views that only add up records cannot create one.
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

const quotedFacet = ({ label, values }: Facet): string => {
  const text = values.join(` ${t('or')} `)
  return t('“{text}”', { text: label === null ? text : `${label}: ${text}` })
}

/** The number of records; null until it is known. 0 without a domain. */
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
