import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import { holds, type Scope } from '../../../core/expression.ts'
import type { FormArch } from './arch.ts'

/** The parts of a form that decide what can be edited. */
export interface Editability {
  readonly arch: Pick<FormArch, 'fields' | 'fieldNodes' | 'around' | 'steps'>
  readonly mayEdit: boolean
  readonly scope: { readonly value: Scope }
}

/** Whether the value of a field element cannot be edited at the moment. */
export const isReadonly = ({ arch, mayEdit, scope }: Editability, { attrs }: ArchNode): boolean =>
  !mayEdit || arch.fields.get(attrs['name'] ?? '')?.readonly === true || holds(attrs['readonly'], scope.value)

/**
 * Why nothing in the form can be edited: the user lacks the right, or the state of the record makes every field read-only.
 * Null if something can be edited, and for a form that is made to be read, such as a report.
 */
export function findLock(form: Editability): 'access' | 'state' | null {
  const { arch, scope } = form
  const steps = new Set(arch.steps)
  const isHidden = ({ attrs }: ArchNode) => holds(attrs['invisible'], scope.value)
  const fields = arch.fieldNodes.filter((node) => {
    const field = arch.fields.get(node.attrs['name'] ?? '')
    return field && field.readonly !== true && node.attrs['readonly'] !== '1' && !steps.has(node)
  })
  if (fields.length === 0) return null
  if (!form.mayEdit) return 'access'
  const shown = fields.filter((node) => ![node, ...(arch.around.get(node) ?? [])].some(isHidden))
  return shown.length > 0 && shown.every((node) => isReadonly(form, node)) ? 'state' : null
}
