import { t } from '../../../core/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { FormModel, FormNotice } from '../model/model.ts'
import { Dismiss } from '../save/dismiss.tsx'
import { describeSaver } from '../save/saver.ts'
import { Deleted } from './deleted.tsx'

/** Changes of other users to the record while it is open here. Shown below the fields, so that none moves while the user types. */
export function OthersChanges({ form }: { readonly form: FormModel }) {
  if (form.entry?.deleted.value) return <Deleted form={form} />
  const notice = form.notice.value
  if (notice?.kind !== 'changed') return null
  return (
    <div class={`note ${notice.overlap.length > 0 ? 'warning' : 'info'}`} role="status">
      <Icon name="git-merge" />
      <span class="grow">{describeSave(form, notice)}</span>
      <Dismiss form={form} />
    </div>
  )
}

/** A sentence about another save of a record that is being changed here. */
function describeSave({ arch }: FormModel, { overlap, by }: FormNotice & { readonly kind: 'changed' }): string {
  const fields = overlap.map((name) => arch.fields.get(name)?.label ?? name).join(', ')
  const rest = fields
    ? t('Also changed there: {fields}. Saving asks which values stay.', { fields })
    : t('Your changes are kept and will be merged.')
  return `${describeSaver(by)}. ${rest}`
}
