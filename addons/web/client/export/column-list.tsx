import { useRef } from 'preact/hooks'
import { t } from '../core/i18n.ts'
import { dragLine } from '../fields/lines/drag-rows.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { type ExportColumn, headOf, isSummed, withHeading } from './fields.ts'
import type { ExportFormat } from './request.ts'
import { written } from './written.ts'

interface ColumnListProps {
  readonly columns: readonly ExportColumn[]
  readonly format: ExportFormat
  /** Numbers with a sum in the last row; null without such a row. */
  readonly summed: ReadonlySet<string> | null
  readonly onChange: (columns: readonly ExportColumn[]) => void
}

/** The chosen columns in their order and their headings: moved by dragging, or with Alt and the arrow keys. */
export function ColumnList({ columns, format, summed, onChange }: ColumnListProps) {
  const list = useRef<HTMLOListElement>(null)
  const now = useRef(columns)
  now.current = columns
  const move = (from: number, to: number) => {
    if (to < 0 || to >= now.current.length) return
    const moved = now.current.toSpliced(from, 1)
    now.current = moved.toSpliced(to, 0, now.current[from]!)
    onChange(now.current)
  }
  /** The same control of the column stays in focus, wherever the column goes. */
  const press = (event: KeyboardEvent, at: number) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!event.altKey || step === undefined || !(event.target instanceof HTMLElement)) return
    event.preventDefault()
    const control = event.target.matches('.grip') ? '.grip' : 'input'
    move(at, at + step)
    requestAnimationFrame(() => list.current?.children[at + step]?.querySelector<HTMLElement>(control)?.focus())
  }
  const remove = (at: number) => {
    onChange(columns.toSpliced(at, 1))
    requestAnimationFrame(() => {
      const next = list.current?.children[Math.min(at, columns.length - 2)]
      if (next) next.querySelector<HTMLElement>('.btn:last-child')?.focus()
      else focusFields(list.current)
    })
  }
  const clear = () => {
    onChange([])
    requestAnimationFrame(() => focusFields(list.current))
  }
  return (
    <section class="xp-right" aria-label={t('Columns')}>
      <div class="xp-sub">
        <h3>{t('Columns')}</h3>
        <span class="count">{columns.length}</span>
        <span class="end fs12 t3 wide">
          <Kbd keys="alt+arrowup" /> <Kbd keys="arrowdown" /> {t('reorder')}
        </span>
        <Button label={t('Clear')} kind="ghost" size="sm" disabled={columns.length === 0} onClick={clear} />
      </div>
      <div class="scroll">
        <ol class="xp-cols" ref={list}>
          {columns.map((column, index) => (
            <li
              class="xp-col"
              key={column.path}
              data-line={index}
              onKeyDown={(event: KeyboardEvent) => press(event, index)}
            >
              <button
                type="button"
                class="btn icon ghost sm grip"
                aria-label={t('Move {column}', { column: column.label })}
                aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                onPointerDown={(event) => list.current && dragLine(event, list.current, index, move)}
              >
                <Icon name="grip-vertical" />
              </button>
              <span class="n t3 tn fs12">{index + 1}</span>
              <Heading
                column={column}
                onChange={(changed) => onChange(now.current.map((each) => (each === column ? changed : each)))}
              />
              <span class="fs12 t3 cut src">{column.label}</span>
              <span class="xp-op">
                <Look column={column} format={format} summed={summed} />
              </span>
              <Button
                label={t('Remove {column}', { column: column.label })}
                icon="x"
                iconOnly
                kind="ghost"
                size="sm"
                onClick={() => remove(index)}
              />
            </li>
          ))}
        </ol>
        {columns.length === 0 && <p class="t3 xp-wait">{t('Choose the fields that become columns.')}</p>}
      </div>
    </section>
  )
}

/** Without columns fields are chosen next; on a phone the button that shows them comes first. */
function focusFields(list: HTMLElement | null): void {
  const all = list?.closest('dialog')?.querySelectorAll<HTMLElement>('.xp-left [type=search], .xp-parts button')
  const seen = [...(all ?? [])].filter((each) => each.checkVisibility())
  const next = seen.find((each) => each.matches('[type=search]')) ?? seen[0]
  next?.focus()
}

interface HeadingProps {
  readonly column: ExportColumn
  readonly onChange: (column: ExportColumn) => void
}

/** The heading of a column in the file; empty: the label of its field. */
const Heading = ({ column, onChange }: HeadingProps) => (
  <input
    class="input quiet"
    aria-label={t('Heading of {column}', { column: column.label })}
    maxLength={200}
    placeholder={headOf({ path: column.path, label: column.label, type: column.type })}
    value={headOf(column)}
    onChange={({ currentTarget }) => {
      const changed = withHeading(column, currentTarget.value)
      currentTarget.value = headOf(changed)
      onChange(changed)
    }}
  />
)

type LookProps = Pick<ColumnListProps, 'format' | 'summed'> & { readonly column: ExportColumn }

/** Shows how a date is written, and whether a number is summed. */
function Look({ column, format, summed }: LookProps) {
  const now = `${new Date().toISOString().slice(0, 16)}:00Z`
  if (column.type === 'date' || column.type === 'datetime')
    return (
      <span class="badge">
        <span class="cut">{written(column, column.type === 'date' ? now.slice(0, 10) : now, format)}</span>
      </span>
    )
  if (summed === null || !isSummed(column, summed)) return null
  return (
    <span class="badge">
      <Icon name="sigma" />
      {t('Sum')}
    </span>
  )
}
