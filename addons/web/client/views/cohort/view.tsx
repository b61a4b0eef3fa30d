import { useEffect } from 'preact/hooks'
import { deferred } from '../../core/deferred.tsx'
import { t } from '../../core/i18n.ts'
import type { ViewProps } from '../../core/registries.ts'
import { ViewFrame } from '../../search/view-frame.tsx'
import { Button } from '../../ui/button.tsx'
import { showError } from '../../ui/toasts.tsx'
import { ViewBody } from '../shared/analysis/view-body.tsx'
import { changeFragment } from '../shared/fragment.ts'
import { CurrencyNotice } from '../shared/notices.tsx'
import { CohortTable } from './table.tsx'
import { useCohorts } from './use-cohorts.ts'

const tools = deferred(() => import('./tools.tsx'))

/** How many records of each period have stayed, or stopped, some periods later. */
export function View({ workspace, route }: ViewProps) {
  const { load, loaded, table, fields, query, measure, title, showOlder } = useCohorts({ workspace, route })
  const { CohortTools, exportCohorts } = tools.value ?? {}
  useEffect(() => {
    tools.load().catch(showError)
  }, [])
  return (
    <ViewFrame workspace={workspace} route={route} pager={null} isLoading={load.isFirst.value}>
      <ViewBody
        workspace={workspace}
        route={route}
        load={load}
        isLoaded={table !== null}
        isEmpty={table?.data.cohorts.length === 0}
        class="cohortview"
      >
        {table && loaded && (
          <section class="panel" aria-labelledby="cohort-title">
            <header>
              <h2 id="cohort-title">{title}</h2>
              {CohortTools && (
                <CohortTools
                  route={route}
                  query={query}
                  fields={fields}
                  measure={measure.key}
                  onCsv={() => exportCohorts?.(title, table.start, table.measure, table.data)}
                />
              )}
            </header>
            <CurrencyNotice of={loaded.currency} onChoose={(currency) => changeFragment(route, { currency })} />
            <CohortTable title={title} {...table} />
            {loaded.hasOlder && (
              <p class="older">
                <Button label={t('Show older')} onClick={showOlder} />
              </p>
            )}
          </section>
        )}
      </ViewBody>
    </ViewFrame>
  )
}
