import { useRef } from 'preact/hooks'
import { t } from '../core/i18n.ts'
import { dragLine } from '../fields/lines/drag-rows.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Kbd } from '../ui/kbd.tsx'
import type { ExportPath } from './fields.ts'

interface ColumnListProps {
  readonly columns: readonly ExportPath[]
  readonly onChange: (columns: readonly ExportPath[]) => void
}

/** The chosen columns in their order: moved by dragging, or with Alt and the arrow keys on the handle. */
export function ColumnList({ columns, onChange }: ColumnListProps) {
  const list = useRef<HTMLOListElement>(null)
  const now = useRef(columns)
  now.current = columns
  const move = (from: number, to: number) => {
    if (to < 0 || to >= now.current.length) return
    const moved = now.current.toSpliced(from, 1)
    now.current = moved.toSpliced(to, 0, now.current[from]!)
    onChange(now.current)
  }
  const press = (event: KeyboardEvent, at: number) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!event.altKey || step === undefined) return
    event.preventDefault()
    move(at, at + step)
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>('.grip')[at + step]?.focus())
  }
  return (
    <section class="xp-right" aria-label={t('Columns')}>
      <div class="xp-sub">
        <h3>{t('Columns')}</h3>
        <span class="count">{columns.length}</span>
        <span class="end fs12 t3 wide">
          <Kbd keys="alt+arrowup" /> <Kbd keys="alt+arrowdown" /> {t('reorder')}
        </span>
        <Button label={t('Clear')} kind="ghost" size="sm" onClick={() => onChange([])} />
      </div>
      <div class="scroll">
        <ol class="xp-cols" ref={list}>
          {columns.map((column, index) => (
            <li class="xp-col" key={column.path} data-line={index}>
              <button
                type="button"
                class="btn icon ghost sm grip"
                aria-label={t('Move {column}', { column: column.label })}
                aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                onKeyDown={(event) => press(event, index)}
                onPointerDown={(event) => list.current && dragLine(event, list.current, index, move)}
              >
                <Icon name="grip-vertical" />
              </button>
              <span class="n t3 tn fs12">{index + 1}</span>
              <span class="cut">{column.label}</span>
              <Button
                label={t('Remove {column}', { column: column.label })}
                icon="x"
                iconOnly
                kind="ghost"
                size="sm"
                onClick={() => onChange(columns.filter((each) => each !== column))}
              />
            </li>
          ))}
        </ol>
        {columns.length === 0 && <p class="t3 xp-wait">{t('Choose the fields that become columns.')}</p>}
      </div>
    </section>
  )
}
