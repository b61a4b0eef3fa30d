import { t, tn } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import type { Values } from '../../../store/records.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { openCopy } from '../action/actions.ts'
import { isX2many } from '../model/arch.ts'
import type { FormModel } from '../model/model.ts'
import { listHref } from '../model/navigate.ts'

/** Notice over a record that another user deleted. What was typed stays until the form is left, and can become a new record. */
export function Deleted({ form }: { readonly form: FormModel }) {
  const count = form.changed.value.length
  const by = form.entry?.deleted.value
  return (
    <div class="note danger deleted" role="status">
      {typeof by === 'object' ? <Avatar id={by[0]} name={by[1]} isNamed /> : <Icon name="trash-2" />}
      <span class="grow">
        {typeof by === 'object'
          ? t('{name} deleted this record.', { name: by[1] })
          : t('This record was deleted by somebody else.')}{' '}
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

/** Opens the form of a new record with everything this one shows; the server no longer has any of it. */
async function saveAsNew(form: FormModel): Promise<void> {
  const { arch, draft } = form
  const fields = [...arch.fields.values()].filter(({ readonly, uncopied }) => !readonly && !uncopied)
  const values = Object.fromEntries(
    fields.map((field) => [
      field.name,
      isX2many(field) && field.type !== 'many2many' ? linesOf(form, field.name) : draft.get(field.name),
    ]),
  )
  form.discard()
  // In the place of the deleted record, to which no way leads back.
  await openCopy(form, values, { force: true, replace: true })
}

/** The lines as commands that create them again. */
function linesOf({ draft, workspace }: FormModel, name: string): readonly unknown[] {
  const related = workspace.arch.related[name]
  if (!related) return []
  const columns = related.fields.filter(({ readonly, uncopied }) => !readonly && !uncopied)
  const { rows, values } = draft.lines(name)
  return rows.map((row, index) => {
    const saved: Values = services().records.peek(related.model, row)?.values.base.peek() ?? {}
    const shown = { ...saved, ...values[row] }
    return [
      0,
      -1 - index,
      Object.fromEntries(
        columns.flatMap((column) => (column.name in shown ? [[column.name, shown[column.name]]] : [])),
      ),
    ]
  })
}
