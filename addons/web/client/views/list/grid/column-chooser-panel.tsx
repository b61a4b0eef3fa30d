import { t } from '../../../core/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Popover } from '../../../ui/popover.tsx'
import type { ListColumn } from '../column/arch.ts'
import { moveColumn, NO_PREFERENCES, orderColumns } from '../column/columns.ts'
import type { ListModel } from '../model/model.ts'

export interface ChooserPanelProps {
  readonly model: ListModel
  readonly anchor: { readonly current: HTMLButtonElement | null }
  readonly onClose: () => void
}

/** Panel to show, hide and reorder columns; saved for this user. */
export function ChooserPanel({ model, anchor, onClose }: ChooserPanelProps) {
  const preferences = model.preferences.value.value
  const columns = orderColumns(model.arch.columns, preferences).filter(({ kind }) => kind === 'field')
  const move = (key: string, step: 1 | -1) => {
    const keys = columns.map((column) => column.key)
    const at = keys.indexOf(key)
    const before = step === 1 ? (keys[at + 2] ?? null) : (keys[at - 1] ?? null)
    if (step === 1 || at > 0) model.preferences.change(moveColumn(model.arch.columns, preferences, key, before))
  }
  return (
    <Popover
      anchor={anchor}
      align="end"
      class="menu chooser"
      role="dialog"
      label={t('Choose columns')}
      onClose={onClose}
    >
      <ul onKeyDown={(event) => event.key === 'Escape' && anchor.current?.focus()}>
        {columns.map((column, index) => (
          <li key={column.key}>
            <Toggle model={model} column={column} isShown={model.columns.value.includes(column)} />
            <button
              type="button"
              class="btn icon ghost sm"
              aria-label={t('Move {column} up', { column: column.label })}
              disabled={index === 0}
              onClick={() => move(column.key, -1)}
            >
              <Icon name="chevron-up" />
            </button>
            <button
              type="button"
              class="btn icon ghost sm"
              aria-label={t('Move {column} down', { column: column.label })}
              disabled={index === columns.length - 1}
              onClick={() => move(column.key, 1)}
            >
              <Icon name="chevron-down" />
            </button>
          </li>
        ))}
      </ul>
      <hr />
      <button
        type="button"
        class="mi"
        disabled={preferences === NO_PREFERENCES}
        onClick={() => model.preferences.change(NO_PREFERENCES)}
      >
        <Icon name="rotate-ccw" />
        {t('Reset columns')}
      </button>
    </Popover>
  )
}

function Toggle({
  model,
  column,
  isShown,
}: {
  readonly model: ListModel
  readonly column: ListColumn
  readonly isShown: boolean
}) {
  const preferences = model.preferences.value.value
  return (
    <label class="opt">
      <input
        type="checkbox"
        class="check"
        checked={isShown}
        disabled={column.optional === null}
        onChange={() =>
          model.preferences.change({ ...preferences, shown: { ...preferences.shown, [column.key]: !isShown } })
        }
      />
      <span class="cut">{column.label}</span>
    </label>
  )
}
