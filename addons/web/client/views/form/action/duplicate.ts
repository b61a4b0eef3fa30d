import { prefill, takePrefilled } from '../../../router/open-record.ts'
import { services } from '../../../services.ts'
import type { Values } from '../../../store/records.ts'
import { showError } from '../../../ui/toasts.tsx'
import { isX2many } from '../model/arch.ts'
import type { FormModel } from '../model/model.ts'
import { formHref } from '../model/navigate.ts'

/** Opens the form of a new record, filled with the values of this one. Nothing is created until it is saved. */
export async function duplicate(form: FormModel): Promise<void> {
  const { arch, draft, workspace } = form
  const { rpc } = services()
  try {
    const values: Record<string, unknown> = {}
    for (const field of arch.fields.values()) {
      if (field.readonly || field.uncopied) continue
      if (!isX2many(field)) values[field.name] = draft.get(field.name)
      else if (field.type === 'many2many') values[field.name] = draft.get(field.name)
      else values[field.name] = await copyLines(field.name)
    }
    await openCopy(form, values)
  } catch (error) {
    showError(error)
  }

  /** Reads the lines of a field and returns them as new lines with the same values. */
  async function copyLines(name: string): Promise<readonly unknown[]> {
    const related = workspace.arch.related[name]
    const ids = draft.lines(name).rows.filter((id) => id > 0)
    const columns = related?.fields.filter((column) => !column.readonly && !column.uncopied) ?? []
    if (!related || ids.length === 0 || columns.length === 0) return []
    const rows = await rpc.read(
      related.model,
      ids,
      columns.map((column) => column.name),
    )
    return rows.map(({ id: _, ...line }, index) => [0, -1 - index, line])
  }
}

/** Opens the form of a new record with these values. */
export async function openCopy({ draft, workspace }: FormModel, values: Values, options = {}): Promise<void> {
  prefill(draft.model, values)
  if (!(await services().router.go(formHref(workspace, null), { isSibling: true, ...options })))
    takePrefilled(draft.model)
}
