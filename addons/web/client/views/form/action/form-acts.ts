import { type Act, offerActs } from '../../../core/acts.ts'
import { holds } from '../../../core/expression.ts'
import { t } from '../../../core/i18n.ts'
import { assignAct } from '../../shared/act/assign.ts'
import { classesOf } from '../model/arch.ts'
import type { FormModel } from '../model/model.ts'
import { refreshForm } from '../save/save.ts'
import { isDuplicate, recordActions } from './actions.ts'
import { runFormButton } from './run-button.tsx'

/** Offers the actions of a saved record to the palette: those of its bar and menu, and assigning it. */
export function offerFormActs(form: FormModel): () => void {
  const { arch, id, entry, workspace } = form
  if (id === null || !entry) return () => undefined
  const assign = () =>
    assignAct({
      model: form.draft.model,
      fields: form.mayEdit ? workspace.arch.fields : [],
      ids: async () => [id],
      done: () => refreshForm(form, id),
    })
  const buttons = (): readonly Act[] =>
    arch.buttons
      .filter((node) => !isDuplicate(node) && !holds(node.attrs['invisible'], form.scope.peek()))
      .map((node) => ({
        name: node.attrs['name'] ?? node.attrs['special'] ?? '',
        label: node.attrs['string'] ?? node.attrs['name'] ?? '',
        icon: node.attrs['icon'] ?? 'play',
        isDanger: classesOf(node.attrs['class']).has('danger'),
        run: () => runFormButton(form, node),
      }))
  return offerActs({
    title: String(entry.values.base.peek()['display_name'] ?? id),
    heading: t('This record'),
    list: () =>
      // A deleted or hidden record has no actions.
      entry.deleted.peek()
        ? []
        : [
            ...buttons(),
            ...assign(),
            ...recordActions(form).map(({ label, icon = 'play', isDanger = false, run }) => ({
              name: label,
              label,
              icon,
              isDanger,
              run: () => run?.(),
            })),
          ],
  })
}
