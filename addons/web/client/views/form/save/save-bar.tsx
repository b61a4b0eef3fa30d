import { t, tn } from '../../../core/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { formParts } from '../model/deferred-parts.ts'
import type { FormModel } from '../model/model.ts'

export interface SaveBarProps {
  readonly form: FormModel
  /** Whether the form already shows a primary button. */
  readonly hasPrimary: boolean
  readonly onSave: () => void
  readonly onDiscard: () => void
}

/** Bar shown while there are unsaved changes: their number, Save and Discard. For a deleted or hidden record it shows that instead. */
export function SaveBar({ form, hasPrimary, onSave, onDiscard }: SaveBarProps) {
  const isNew = form.id === null
  const { OthersChanges, Waiting } = formParts.value ?? {}
  if (form.entry?.deleted.value)
    return <div class="savebar lost">{OthersChanges ? <OthersChanges form={form} /> : t('Deleted')}</div>
  if (!form.mayEdit || (!isNew && !form.isDirty.value)) return null
  const count = form.changed.value.length + Object.keys(form.invalid.value).length
  const words = isNew ? t('Not saved yet') : tn(count, '{n} unsaved change', '{n} unsaved changes')
  return (
    <div class="savebar" role="region" aria-label={t('Unsaved changes')}>
      {OthersChanges && <OthersChanges form={form} />}
      <span class="dot" />
      <span class="cut" role="status">
        {form.isSaving.value && Waiting ? <Waiting form={form} otherwise={words} /> : words}
      </span>
      <span class="end hs">
        <Button
          label={t('Discard')}
          kind="ghost"
          keys="escape"
          disabled={form.isSaving.value && !form.isWaiting.value}
          onClick={onDiscard}
        />
        <Button
          label={t('Save')}
          keys="mod+s"
          {...(!hasPrimary && { kind: 'primary' as const })}
          isBusy={form.isSaving.value}
          disabled={form.isSaving.value || form.isOpening.value}
          onClick={onSave}
        />
      </span>
    </div>
  )
}
