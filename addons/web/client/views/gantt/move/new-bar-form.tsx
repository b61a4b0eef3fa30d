import type { RefObject } from 'preact'
import { useMemo } from 'preact/hooks'
import { NewRecordForm } from '../../plan/new-record-form.tsx'
import { writeSpan } from '../../plan/span.ts'
import { spanText } from '../../plan/span-text.ts'
import type { Gantt } from '../model/gantt.ts'

export interface NewBarFormProps {
  readonly gantt: Gantt
  readonly box: RefObject<HTMLDivElement | null>
}

/** The form for a record whose span was marked in a row. */
export function NewBarForm({ gantt, box }: NewBarFormProps) {
  const creating = gantt.creating.value
  const { arch, set } = gantt
  const anchor = useMemo(
    () => ({
      get current() {
        return box.current?.querySelector<HTMLElement>('[data-new]') ?? box.current
      },
    }),
    [creating],
  )
  if (!creating?.isOpen || !arch.span) return null
  const inGroup = Object.entries(creating.group?.values ?? {}).map(([name, value]) => [
    name,
    Array.isArray(value) && typeof value[1] === 'string' ? value[0] : value,
  ])
  return (
    <NewRecordForm
      key={`${creating.row}/${creating.span.start}`}
      arch={arch}
      anchor={anchor}
      values={{
        ...gantt.workspace.peek().defaults,
        ...Object.fromEntries(inGroup),
        ...writeSpan(creating.span, arch.span, {}, true),
      }}
      when={spanText(creating.span)}
      onClose={() => {
        gantt.creating.value = null
      }}
      onCreated={(id) => void set.refresh([id])}
    />
  )
}
