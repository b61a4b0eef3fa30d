import { Icon } from '../../ui/icon.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Marked } from '../../ui/marked.tsx'
import { AppTile } from '../apps/app-tile.tsx'
import type { PaletteEntry } from './palette-entries.ts'

interface LineProps {
  readonly id: string
  readonly entry: PaletteEntry
  /** The typed text, which is emphasised. */
  readonly part: string
  readonly isMarked: boolean
  readonly onMark: () => void
  readonly onRun: (inNewTab: boolean) => void
  /** Opens the scope of the entry. */
  readonly onEnter: (() => void) | undefined
}

/** One line of the palette. */
export const PaletteLine = ({ id, entry, part, isMarked, onMark, onRun, onEnter }: LineProps) => (
  <div
    id={id}
    class={entry.isDanger ? 'mi warn' : 'mi'}
    role="option"
    aria-selected={isMarked}
    aria-keyshortcuts={onEnter ? 'Tab' : undefined}
    tabIndex={-1}
    onMouseDown={(event) => event.preventDefault()}
    onMouseMove={() => isMarked || onMark()}
    onMouseUp={(event) => onRun(event.ctrlKey || event.metaKey)}
  >
    {entry.module === undefined ? <Icon name={entry.icon} /> : <AppTile module={entry.module} />}
    <span class="lb cut">
      <Marked text={entry.label} part={part} />
    </span>
    {entry.note !== undefined && entry.note !== '' && (
      <span class="t3 cut nt">
        <Marked text={entry.note} part={part} />
      </span>
    )}
    <span class="end">
      {entry.kind}
      {entry.keys !== undefined && <Kbd keys={entry.keys} />}
      {entry.isChecked && <Icon name="check" />}
      {onEnter && (
        // Opens the scope by mouse or touch; on the keyboard Tab does it.
        <span
          class="into"
          aria-hidden="true"
          onMouseUp={(event) => {
            event.stopPropagation()
            onEnter()
          }}
        >
          <Icon name="chevron-right" />
        </span>
      )}
    </span>
  </div>
)
