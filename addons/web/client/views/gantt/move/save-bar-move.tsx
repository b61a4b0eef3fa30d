import { batch } from '@preact/signals'
import { t, tn } from '../../../core/i18n.ts'
import { idsOf } from '../../../fields/value/values.ts'
import { sameValue, type Values, valuesOf } from '../../../store/records.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, openDialog } from '../../../ui/dialog.tsx'
import { showError } from '../../../ui/toasts.tsx'
import { type Change, changeRecords } from '../../plan/reschedule.ts'
import { readSpan, writeSpan } from '../../plan/span.ts'
import { spanText } from '../../plan/span-text.ts'
import type { Gantt, LiftedBar } from '../model/gantt.ts'
import { isTooEarly } from '../model/links.ts'
import { findFollowers } from './successors.ts'

/** Drops a lifted bar where it is shown and saves it, with the records that depend on it if the user wants that. */
export async function saveBar(gantt: Gantt): Promise<void> {
  const { arch, set } = gantt
  const lifted = gantt.lifted.peek()
  if (!lifted || !arch.span) return
  const entry = set.entryOf(lifted.id)
  const before = valuesOf(entry).peek()
  const values = changedValues(before, wantedValues(gantt, lifted, before))
  const drop = () => {
    gantt.lifted.value = null
  }
  if (Object.keys(values).length === 0) {
    drop()
    return void set.refresh([])
  }
  const isMoved = lifted.progress === undefined
  try {
    const followers =
      isMoved && arch.dependency
        ? await findFollowers(arch.model, lifted.id, lifted.span, arch.span, arch.dependency)
        : []
    const answer = followers.length === 0 ? 'one' : await askFollowers(gantt.titleOf(lifted.id), followers)
    if (answer === 'none') {
      drop()
      return void set.refresh([])
    }
    const changes: readonly Change[] = [{ entry, values }, ...(answer === 'all' ? followers : [])]
    batch(() => {
      drop()
      void changeRecords(set, changes, textOf(gantt, lifted, changes.length - 1))
    })
  } catch (error) {
    drop()
    showError(error)
  }
}

function wantedValues(
  { arch, levels }: Gantt,
  { span, isResized, progress, group }: LiftedBar,
  before: Values,
): Values {
  if (progress !== undefined) return arch.progress ? { [arch.progress.name]: progress } : {}
  const names = new Set(levels.peek().map(({ field }) => field.name))
  const grouped = Object.entries(group?.values ?? {}).filter(([name]) => names.has(name))
  return { ...(arch.span && writeSpan(span, arch.span, before, isResized)), ...Object.fromEntries(grouped) }
}

const changedValues = (before: Values, wanted: Values): Values =>
  Object.fromEntries(Object.entries(wanted).filter(([name, value]) => !sameValue(before[name] ?? null, value)))

/** Text of the toast: the new place, and a dependency that is violated now. */
function textOf(gantt: Gantt, { id, span, progress }: LiftedBar, followers: number): string {
  const name = gantt.titleOf(id)
  if (progress !== undefined) return t('{name}: {percent} % done', { name, percent: progress })
  const parts = [t('{name}: {when}', { name, when: spanText(span) })]
  if (followers > 0) parts.push(tn(followers, 'One more was moved.', '{n} more were moved.'))
  const early = earlierThan(gantt, id, span)
  if (early !== null) parts.push(t('It begins before {name} ends.', { name: early }))
  return parts.join(' · ')
}

/** Name of a record on screen on which it depends and before whose end it begins. */
function earlierThan({ arch, set, titleOf }: Gantt, id: number, span: LiftedBar['span']): string | null {
  const { dependency, span: fields } = arch
  if (!dependency || !fields) return null
  const shown = new Set(set.ids.peek())
  const found = idsOf(valuesOf(set.entryOf(id)).peek()[dependency.name]).find((other) => {
    const before = shown.has(other) ? readSpan(valuesOf(set.entryOf(other)).peek(), fields) : null
    return before !== null && isTooEarly(before, span)
  })
  return found === undefined ? null : titleOf(found)
}

const MAX_NAMED = 5

const askFollowers = (name: string, followers: readonly Change[]): Promise<'all' | 'one' | 'none'> =>
  openDialog((close) => (
    <Dialog
      title={t('Move what waits for it, too?')}
      onClose={() => close('none')}
      footer={
        <>
          <Button label={t('Cancel')} kind="ghost" onClick={() => close('none')} />
          <Button label={t('Move only this')} onClick={() => close('one')} />
          <Button label={t('Move successors too')} kind="primary" onClick={() => close('all')} />
        </>
      }
    >
      <p class="t2">
        {tn(
          followers.length,
          'One record would begin before {name} ends.',
          '{n} records would begin before what they wait for ends, beginning with {name}.',
          { name },
        )}
      </p>
      <ul>
        {followers.slice(0, MAX_NAMED).map(({ entry }) => (
          <li key={entry.id}>{String(valuesOf(entry).peek()['display_name'] ?? `#${entry.id}`)}</li>
        ))}
        {followers.length > MAX_NAMED && <li>{t('and {n} more', { n: followers.length - MAX_NAMED })}</li>}
      </ul>
    </Dialog>
  ))
