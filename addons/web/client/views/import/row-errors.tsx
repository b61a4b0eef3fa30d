import { formatInteger } from '../../core/format.ts'
import { t, tn } from '../../core/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import type { Batch } from './batch.ts'
import type { ImportState } from './state.ts'

/** Number of rows with errors in the last dry run. */
export const rowsWithErrors = ({ isStale }: ImportState, { preview }: Batch): number =>
  isStale.value ? 0 : (preview?.error ?? 0)

/** Below the button that they disable: how many rows have errors, and the way to import the others. */
export function ErrorBar({ state, batch }: { readonly state: ImportState; readonly batch: Batch }) {
  const errors = rowsWithErrors(state, batch)
  if (errors === 0) return null
  const n = { n: formatInteger(errors) }
  return (
    <div class={state.isSkipping.value ? 'impbar errors' : 'impbar errors blocked'}>
      <Icon name="circle-alert" />
      <span role="status">
        {state.isSkipping.value
          ? tn(errors, '1 row has an error and is skipped.', '{n} rows have errors and are skipped.', n)
          : tn(errors, '1 row has an error. Fix it, or skip it.', '{n} rows have errors. Fix them, or skip them.', n)}
      </span>
      <SkipErrors state={state} />
    </div>
  )
}

export function SkipErrors({ state }: { readonly state: ImportState }) {
  return (
    <label class="opt">
      <input
        type="checkbox"
        class="check"
        checked={state.isSkipping.value}
        onChange={({ currentTarget }) => {
          state.isSkipping.value = currentTarget.checked
        }}
      />
      {t('Skip rows with errors and give them back as CSV')}
    </label>
  )
}
