import type { WireField } from '../../../../../kernel/view/wire.ts'
import { msg, t } from '../../core/i18n.ts'
import type { Route } from '../../router/codec.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceMenu } from '../shared/analysis/choice-menu.tsx'
import { INTERVAL_LABELS } from '../shared/analysis/intervals.ts'
import { MeasureMenu } from '../shared/analysis/measure-menu.tsx'
import { changeFragment } from '../shared/fragment.ts'
import type { CohortMode, CohortQuery } from './cohort-data.ts'

export { exportCohorts } from './export-cohorts.ts'

const MODES: readonly (readonly [CohortMode, string])[] = [
  ['retention', msg('Retention')],
  ['churn', msg('Churn')],
]
const TIMELINES = { forward: msg('Forward'), backward: msg('Backward') } as const

interface CohortToolsProps {
  readonly route: Route
  readonly query: CohortQuery
  readonly fields: readonly WireField[]
  /** Key of the measure. */
  readonly measure: string
  readonly onCsv: () => void
}

/** Tools that choose what is shown and how; all choices are in the fragment. */
export const CohortTools = ({ route, query, fields, measure, onCsv }: CohortToolsProps) => (
  <span class="end">
    <MeasureMenu route={route} fields={fields} active={[measure]} isSumOnly />
    <span class="seg" role="group" aria-label={t('Shown share')}>
      {MODES.map(([mode, label]) => (
        <button
          key={mode}
          type="button"
          aria-pressed={mode === query.mode}
          onClick={() => changeFragment(route, { mode })}
        >
          {t(label)}
        </button>
      ))}
    </span>
    <ChoiceMenu
      choices={TIMELINES}
      active={query.timeline}
      icon="arrow-left-right"
      onChoose={(timeline) => changeFragment(route, { timeline })}
    />
    <ChoiceMenu
      choices={INTERVAL_LABELS}
      active={query.interval}
      icon="calendar"
      onChoose={(interval) => changeFragment(route, { interval })}
    />
    <Button label={t('Table (CSV)')} icon="download" iconOnly kind="ghost" size="sm" onClick={onCsv} />
  </span>
)
