import { effect } from '@preact/signals'
import { onRecordChanges, type RecordChange } from '../../../net/record-changes.ts'
import { services } from '../../../services.ts'
import { noteLoss } from '../../../store/loss.ts'
import { changedFields, highlightEnd } from '../../../ui/recent-changes.ts'
import { isX2many } from '../model/arch.ts'
import type { FormModel } from '../model/model.ts'
import { rereadForm } from '../save/save.ts'

/**
 * Follows changes of other users to a record and its lines. The store reads the record again when it changes; here the
 * changed fields are highlighted, and the record is read again when lines were added or removed, or events were missed.
 */
export function followForm(form: FormModel): () => void {
  const { entry, id } = form
  if (!entry || id === null) return () => undefined
  const { bus, currentView } = services()
  let before = entry.values.base.peek()
  let touched = entry.touched.peek()
  let stopHighlight = () => {}

  const stopRecent = effect(() => {
    const now = entry.values.base.value
    const count = entry.touched.value
    const fields = changedFields(before, now)
    const isRemote = count !== touched
    before = now
    touched = count
    if (!isRemote) return
    stopHighlight()
    form.recent.value = fields
    stopHighlight = highlightEnd(() => {
      form.recent.value = new Set()
    })
    // The breadcrumbs have the name too.
    if (fields.has('display_name') && !form.isDirty.peek()) void currentView.reload()
  })

  // After a failure the next event tries again.
  const reread = () => {
    // A deleted record has no lines to read.
    if (!entry.deleted.peek()) rereadForm(form, id).catch((error: unknown) => noteLoss(entry, error))
  }
  const lineModels = [...form.arch.fields.values()].flatMap((field) =>
    isX2many(field) && field.relation !== undefined ? [field.relation] : [],
  )
  const stops = [
    stopRecent,
    onRecordChanges(bus, lineModels, (changes) => {
      // Lines may be of the same model as the record; when that itself is deleted there is nothing left to read.
      const isLine = (change: RecordChange) => change.model !== entry.model || change.id !== id
      if (changes === null || changes.some((change) => change.kind !== 'updated' && !change.isOwn && isLine(change)))
        reread()
    }),
    onRecordChanges(bus, [entry.model], (changes) => {
      if (changes === null) reread()
    }),
  ]
  return () => {
    stopHighlight()
    for (const stop of stops) stop()
  }
}
