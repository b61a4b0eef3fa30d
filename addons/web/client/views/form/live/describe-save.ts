import { t } from '../../../core/i18n.ts'
import type { FormModel, FormNotice } from '../model/model.ts'
import { describeSaver } from '../save/saver.ts'

/** A sentence about another save of a record that is being changed here. */
export function describeSave({ arch }: FormModel, { overlap, by }: FormNotice & { readonly kind: 'changed' }): string {
  const fields = overlap.map((name) => arch.fields.get(name)?.label ?? name).join(', ')
  const rest = fields
    ? t('Also changed there: {fields}. Saving asks which values stay.', { fields })
    : t('Your changes are kept and will be merged.')
  return `${describeSaver(by)}. ${rest}`
}
