import { Icon } from '../../../ui/icon.tsx'
import type { FormModel } from '../model/model.ts'
import { Dismiss } from '../save/dismiss.tsx'
import { Deleted } from './deleted.tsx'
import { describeSave } from './describe-save.ts'

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
