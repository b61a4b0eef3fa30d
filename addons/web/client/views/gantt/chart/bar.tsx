import { holds } from '../../../core/expression.ts'
import { formatPercent, today } from '../../../core/format.ts'
import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useRecentChanges } from '../../../ui/recent-changes.ts'
import { titleOf } from '../../plan/arch.ts'
import { hueOfValue } from '../../plan/hues.ts'
import { spanText } from '../../plan/span-text.ts'
import type { Gantt } from '../model/gantt.ts'
import type { RecordRow } from '../model/rows.ts'

const CHAR = 6.6

interface BarProps {
  readonly gantt: Gantt
  readonly row: RecordRow
  /** Of the timeline in pixels. */
  readonly width: number
  readonly isCurrent: boolean
}

/** The bar of a record, a link to its form; a record without an end is a diamond. */
export function Bar({ gantt, row, width, isCurrent }: BarProps) {
  const { arch } = gantt
  const { id, span, values } = row
  const isRecent = useRecentChanges(gantt.set.entryOf(id)).size > 0
  const lifted = gantt.lifted.value?.id === id ? gantt.lifted.value : null
  const isPoint = arch.span?.stop != null && (values[arch.span.stop.name] ?? null) === null && !lifted
  const at = gantt.partOf(span.start)
  const long = gantt.partOf(span.end) - at
  const done =
    arch.progress && typeof values[arch.progress.name] === 'number' ? Number(values[arch.progress.name]) : null
  const hue = hueOfValue(arch.color, arch.color && values[arch.color.name])
  const scope = { values, uid: services().session.bootstrap.user.id, today: today() }
  const looks = arch.marks.flatMap(([look, condition]) => (holds(condition, scope) ? [look] : []))
  const title = titleOf(arch, id, values)
  const when = spanText(span)
  const isInside = !isPoint && (Math.min(1, at + long) - Math.max(0, at)) * width > title.length * CHAR + 16
  const style = { '--at': at, '--long': long }
  return (
    <>
      <a
        class={classNames(
          'gbar',
          isPoint && 'point',
          lifted && 'foc',
          isRecent && 'live',
          arch.mayMove && 'movable',
          ...looks,
        )}
        href={gantt.hrefOf(id)}
        draggable={false}
        tabIndex={isCurrent ? 0 : -1}
        onFocus={() => {
          gantt.current.value = row.key
        }}
        data-bar={id}
        data-row={row.key}
        data-focus={`bar-${row.key}`}
        data-tip={`${title}\n${when}`}
        aria-label={[
          title,
          when,
          ...(done === null ? [] : t('{percent} done', { percent: formatPercent(done / 100) })),
        ].join(', ')}
        {...(hue !== null && { 'data-hue': hue })}
        {...(arch.mayMove && { 'aria-keyshortcuts': 'M' })}
        style={style}
      >
        {done !== null && !isPoint && <i class="done" style={{ '--done': done / 100 }} />}
        {isInside && <span>{title}</span>}
        {arch.mayMove && !isPoint && (
          <>
            <i class="grip first" data-grip="start" />
            <i class="grip last" data-grip="end" />
          </>
        )}
        {arch.progress && arch.mayWrite && !arch.progress.readonly && done !== null && !isPoint && (
          <i class="knob" data-grip="progress" style={{ '--done': done / 100 }} />
        )}
      </a>
      {!isInside && !lifted && (
        <span class={classNames('gml', isPoint && 'point')} style={style} aria-hidden="true">
          {title}
        </span>
      )}
      {lifted && (
        <span class="gtip" style={style} aria-hidden="true">
          {lifted.progress === undefined ? when : formatPercent(lifted.progress / 100)}
        </span>
      )}
    </>
  )
}
