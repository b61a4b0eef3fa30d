import type { WireField } from '../../../../../../kernel/view/wire.ts'
import { t, tn } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import type { Loss, Values } from '../../../store/records.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { openCopy } from '../action/duplicate.ts'
import { isX2many } from '../model/arch.ts'
import type { FormModel } from '../model/model.ts'
import { listHref } from '../model/navigate.ts'
import { isReadonly } from '../model/read-only.ts'

/** Notice over a record that another user deleted or hid from this one. Typed values stay until the form is left, and can be saved as a new record. */
export function Deleted({ form }: { readonly form: FormModel }) {
  const count = form.changed.value.length
  const by = form.entry?.deleted.value
  return (
    <div class="note danger deleted" role="status">
      {typeof by === 'object' ? (
        <Avatar id={by[0]} name={by[1]} isNamed />
      ) : (
        <Icon name={by === 'hidden' ? 'eye-off' : 'trash-2'} />
      )}
      <span class="grow">
        {describeLoss(by)}{' '}
        {form.isDirty.value &&
          tn(
            count,
            'You had one unsaved change; it is kept here until you leave.',
            'You had {n} unsaved changes; they are kept here until you leave.',
          )}
      </span>
      {form.workspace.arch.access.create && (
        <Button label={t('Save as new')} icon="copy" size="sm" onClick={() => void saveAsNew(form)} />
      )}
      <Button label={t('Go back')} size="sm" href={listHref(form.workspace)} onClick={() => form.discard()} />
    </div>
  )
}

function describeLoss(by: Loss | undefined): string {
  if (by === 'hidden') return t('You can no longer see this record.')
  return typeof by === 'object'
    ? t('{name} deleted this record.', { name: by[1] })
    : t('This record was deleted by somebody else.')
}

/** Opens the form of a new record with all shown and typed values of this one, which the server no longer has. */
async function saveAsNew(form: FormModel): Promise<void> {
  const { arch, draft } = form
  const values = Object.fromEntries(
    [...arch.fields.values()]
      .filter((field) => isCarried(form, field))
      .map((field) => [
        field.name,
        isX2many(field) && field.type !== 'many2many' ? linesOf(form, field.name) : draft.get(field.name),
      ]),
  )
  form.discard()
  // Replaces the history entry of the deleted record, so that going back does not lead to it.
  await openCopy(form, values, { force: true, replace: true })
}

/** Whether the new record takes a field over: unlike in a copy, also one excluded from copies if the user changed or could change it. */
const isCarried = (form: FormModel, { name, readonly, uncopied }: WireField): boolean =>
  !readonly &&
  (!uncopied ||
    form.changed.peek().includes(name) ||
    form.arch.fieldNodes.some((node) => node.attrs['name'] === name && !isReadonly(form, node)))

/** The lines as commands that create them again. */
function linesOf({ draft, workspace }: FormModel, name: string): readonly unknown[] {
  const related = workspace.arch.related[name]
  const columns = related?.fields.filter(({ readonly }) => !readonly) ?? []
  const { rows, values } = draft.lines(name)
  return rows.flatMap((row, index) => {
    const saved: Values =
      services()
        .records.peek(related?.model ?? '', row)
        ?.values.base.peek() ?? {}
    const shown = { ...saved, ...values[row] }
    const known = columns.flatMap((column) => (column.name in shown ? [[column.name, shown[column.name]]] : []))
    // Values of a line that was never on screen are not known.
    return known.length === 0 ? [] : [[0, -1 - index, Object.fromEntries(known)]]
  })
}
