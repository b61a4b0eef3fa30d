import type { TargetedKeyboardEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { WireSearchPanelSection, WireWorkspace } from '../../../../../kernel/view/wire.ts'
import { formatInteger } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { isAbort } from '../../net/errors.ts'
import { onRecordChanges } from '../../net/record-changes.ts'
import type { Route } from '../../router/codec.ts'
import { services } from '../../services.ts'
import { nextIndex } from '../../ui/menu.tsx'
import { isSame, searchChanges } from '../query/change-search.ts'
import { extraDomain } from '../query/search-model.ts'
import { readSearchState, type Wanted } from '../query/search-state.ts'
import { loadPanelValues, type PanelValue } from './panel-values.ts'

interface SearchPanelProps {
  readonly workspace: WireWorkspace
  readonly route: Route
  readonly sections: readonly WireSearchPanelSection[]
}

/** Panel next to the view with values to filter by and their record counts. */
export function SearchPanel({ workspace, route, sections }: SearchPanelProps) {
  return (
    <aside class="spanel" aria-label={t('Narrow by')} data-scroll="panel">
      {sections.map((section) => (
        <Section key={`${workspace.model}/${section.field}`} section={section} workspace={workspace} route={route} />
      ))}
    </aside>
  )
}

/** A counter that increases when records of a model are created, changed or deleted. */
function useChanges(model: string): number {
  const [count, setCount] = useState(0)
  useEffect(() => onRecordChanges(services().bus, [model], () => setCount((before) => before + 1)), [model])
  return count
}

interface SectionProps {
  readonly section: WireSearchPanelSection
  readonly workspace: WireWorkspace
  readonly route: Route
}

function Section({ section, workspace, route }: SectionProps) {
  // Null while loading: the heading is rendered already, so that the layout does not shift.
  const [values, setValues] = useState<readonly PanelValue[] | null>(null)
  /** The place in the section that the Tab key stops at. */
  const [stop, setStop] = useState(0)
  const { field: name, label, multi } = section
  const state = readSearchState(route.state)
  const chosen = state.panel.filter(({ field }) => field === name)
  const domain = [...workspace.domain, ...workspace.searchDomain, ...extraDomain(workspace, state, name)]
  const field = workspace.search.grouped.find((each) => each.name === name)

  const changes = useChanges(workspace.model)
  useEffect(() => {
    const abort = new AbortController()
    loadPanelValues(services().rpc, workspace.model, section, field, domain, abort.signal).then(
      // A search without results keeps the values, so that others can be chosen.
      (found) =>
        setValues((before) => (found.length > 0 ? found : (before ?? []).map((each) => ({ ...each, count: 0 })))),
      (error: unknown) => {
        // If the values cannot be loaded, only the section is hidden.
        if (!isAbort(error)) setValues([])
      },
    )
    return () => abort.abort()
  }, [workspace, JSON.stringify(domain), changes])

  const choose = (wanted: Wanted) => {
    const { router } = services()
    // What was chosen a moment ago may not be loaded yet.
    const now = router.route.peek()
    const { panel } = readSearchState(now.state)
    const others = panel.filter((each) => (multi ? !isSame(each, wanted) : each.field !== name))
    const isChosen = panel.some((each) => isSame(each, wanted))
    void router.go(searchChanges(workspace, now).change({}, { panel: isChosen ? others : [...others, wanted] }))
  }

  if (values?.length === 0 && chosen.length === 0) return null
  const first = multi ? 0 : 1
  const lastStop = first + (values?.length ?? 0) - 1
  const tabIndexAt = (place: number) => ({ tabIndex: place === Math.min(stop, lastStop) ? 0 : -1 })
  return (
    <section>
      <h2 class="side-h">{label}</h2>
      <ul onKeyDown={goByArrows} onFocusIn={({ currentTarget, target }) => setStop(placeOf(currentTarget, target))}>
        {!multi && (
          <li>
            <button
              type="button"
              class="nav-i"
              {...tabIndexAt(0)}
              {...(chosen.length === 0 && { 'aria-current': 'true' as const })}
              onClick={() => chosen[0] && choose(chosen[0])}
            >
              <span class="lb">{t('All')}</span>
            </button>
          </li>
        )}
        {values?.map((each, index) => {
          const wanted = { field: name, value: each.value, label: each.label }
          const isChosen = chosen.some((other) => isSame(other, wanted))
          const count = <span class="n tn">{formatInteger(each.count)}</span>
          return (
            <li key={String(each.value)} style={{ paddingInlineStart: `${each.depth * 14}px` }}>
              {multi ? (
                <label class="nav-i">
                  <input
                    type="checkbox"
                    class="check"
                    {...tabIndexAt(index)}
                    checked={isChosen}
                    onChange={() => choose(wanted)}
                  />
                  <span class="lb">{each.label}</span>
                  {count}
                </label>
              ) : (
                <button
                  type="button"
                  class="nav-i"
                  {...tabIndexAt(first + index)}
                  {...(isChosen && { 'aria-current': 'true' as const })}
                  onClick={() => choose(wanted)}
                >
                  <span class="lb">{each.label}</span>
                  {count}
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const stopsOf = (list: Element): readonly HTMLElement[] => [...list.querySelectorAll<HTMLElement>('button, input')]

const placeOf = (list: Element, target: EventTarget | null): number =>
  target instanceof HTMLElement ? stopsOf(list).indexOf(target) : -1

/** A section is one stop of the Tab key, so that the view behind the panel is near; arrow keys go through its values. */
function goByArrows(event: TargetedKeyboardEvent<HTMLUListElement>): void {
  const stops = stopsOf(event.currentTarget)
  const next = nextIndex(event.key, placeOf(event.currentTarget, event.target), stops.length)
  if (next === null) return
  event.preventDefault()
  stops[next]?.focus()
}
