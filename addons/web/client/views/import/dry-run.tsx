import { useState } from 'preact/hooks'
import type { ValueToSettle } from '../../../../../kernel/exchange/import/write/value-to-settle.ts'
import { formatInteger } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Icon, type IconProps } from '../../ui/icon.tsx'
import type { Batch, PreviewRow, Problem, RowAction } from './batch.ts'
import { rowsWithErrors, SkipErrors } from './row-errors.tsx'
import { type ImportState, isMapped } from './state.ts'

const LOOKS: Readonly<Record<RowAction, readonly [tone: string, icon: IconProps['name'], text: () => string]>> = {
  create: ['success', 'plus', () => t('New')],
  update: ['info', 'pencil', () => t('Update')],
  unchanged: ['', 'check', () => t('Unchanged')],
  skip: ['', 'minus', () => t('Skipped')],
  error: ['danger', 'circle-alert', () => t('Error')],
}

/** What the import would do, row by row. */
export function DryRun({ state, batch }: { readonly state: ImportState; readonly batch: Batch }) {
  const [shown, setShown] = useState<RowAction | null>(null)
  const { preview } = batch
  const isRunning = state.running.value === 'check'
  return (
    <section class="panel" aria-labelledby="dry-run" aria-busy={isRunning}>
      <header>
        <h2 id="dry-run">{t('Dry run')}</h2>
        <span class="t3">
          {state.isStale.value && preview !== null
            ? t('not checked since you changed something')
            : t('nothing is written yet')}
        </span>
        {(isRunning || !state.isStale.value) && (
          <span class="end">
            <Button
              label={t('Check again')}
              icon="refresh-cw"
              kind="ghost"
              size="sm"
              class="recheck"
              isBusy={isRunning}
              disabled={state.running.value !== null}
              onClick={() => void state.check()}
            />
          </span>
        )}
      </header>
      {preview === null ? (
        <p class="hint">
          {isMapped(state)
            ? t('Check the file to see what would be created and changed.')
            : t('No column goes to a field yet. Choose a field for those that should be imported.')}
        </p>
      ) : (
        <div class={state.isStale.value ? 'unchecked' : ''}>
          <dl class="sums">
            {(['create', 'update', 'unchanged', 'error'] as const).map((action) => (
              <div key={action} class={action === 'error' && preview.error > 0 ? 'bad' : ''}>
                <dt>{LOOKS[action][2]()}</dt>
                <dd>{formatInteger(preview[action])}</dd>
              </div>
            ))}
          </dl>
          <div class="filters" role="group" aria-label={t('Show')}>
            <Button label={t('All')} size="sm" kind="ghost" pressed={shown === null} onClick={() => setShown(null)} />
            {(['error', 'update', 'create', 'skip'] as const)
              .filter((action) => preview[action] > 0)
              .map((action) => (
                <Button
                  key={action}
                  label={LOOKS[action][2]()}
                  size="sm"
                  kind="ghost"
                  pressed={shown === action}
                  onClick={() => setShown(action)}
                >
                  <span class="count">{formatInteger(preview[action])}</span>
                </Button>
              ))}
          </div>
          <ul class="drows" aria-label={t('Rows')}>
            {errorsFirst(preview.rows)
              .filter(({ action }) => shown === null || action === shown)
              .map((row) => (
                <DryRow key={row.row} row={row} state={state} values={preview.values ?? []} />
              ))}
          </ul>
        </div>
      )}
      {rowsWithErrors(state, batch) === 0 && (
        <div class="foot-bar">
          <SkipErrors state={state} />
        </div>
      )}
    </section>
  )
}

/** Rows with errors come first. */
const errorsFirst = (rows: readonly PreviewRow[]): readonly PreviewRow[] =>
  rows.toSorted((a, b) => Number(b.action === 'error') - Number(a.action === 'error'))

interface DryRowProps {
  readonly row: PreviewRow
  readonly state: ImportState
  readonly values: readonly ValueToSettle[]
}

function DryRow({ row, state, values }: DryRowProps) {
  /** The record that a name without a match very probably means, while that is not decided. */
  const meant = ({ column, value }: Problem) => {
    const found = values.find((each) => each.column === column && each.value === value && each.suggested !== null)
    return found && state.mapping.value[found.column]?.values?.[value] === undefined ? found : null
  }
  const [tone, icon, text] = LOOKS[row.action]
  return (
    <li class="drow">
      <span class="tn t3 rn">{row.row}</span>
      <span class={`badge ${tone}`}>
        <Icon name={icon} />
        {text()}
      </span>
      <div>
        <b class="med">{row.name === '' ? t('Row {n}', { n: row.row }) : row.name}</b>
        {row.problems?.map((problem) => (
          <div key={`${problem.column}${problem.message}`} class="fs12 down">
            {problem.column === null ? problem.message : `${problem.column}: ${problem.message}`}
            <UseInstead value={meant(problem)} state={state} />
          </div>
        ))}
        {row.changes?.map((change) => (
          <div key={change.column} class="track fs12">
            <span class="t3">{change.column}</span>
            {change.old !== '' && <del>{change.old}</del>}
            <Icon name="arrow-right" size="s" />
            <ins>{change.new === '' ? t('empty') : change.new}</ins>
          </div>
        ))}
      </div>
    </li>
  )
}

/** Accepts what a name is likely to mean, for all rows that have it. */
function UseInstead({ value, state }: { readonly value: ValueToSettle | null; readonly state: ImportState }) {
  if (value === null) return null
  const name = value.choices.find(([id]) => id === value.suggested)?.[1] ?? ''
  return (
    <>
      {' '}
      <button
        type="button"
        class="link"
        disabled={state.running.value !== null}
        onClick={() => state.settle([{ column: value.column, value: value.value, as: value.suggested }])}
      >
        {t('Use {name}', { name })}
      </button>
    </>
  )
}
