import { t } from '../../../core/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, openDialog } from '../../../ui/dialog.tsx'
import type { FormModel } from '../model/model.ts'
import { saveForm } from './save.ts'

/**
 * Asks whether to save, discard or stay before unsaved changes are left. Resolves with true if the form can be left.
 */
export async function askLeave(form: FormModel): Promise<boolean> {
  const answer = await openDialog<'save' | 'discard' | 'stay'>((close) => (
    <Dialog
      title={t('Save your changes?')}
      onClose={() => close('stay')}
      footer={
        <>
          <Button label={t('Keep editing')} kind="ghost" onClick={() => close('stay')} />
          <Button label={t('Discard')} onClick={() => close('discard')} />
          {!form.entry?.deleted.value && <Button label={t('Save')} kind="primary" onClick={() => close('save')} />}
        </>
      }
    >
      <p class="t2">{t('This record has changes that are not saved.')}</p>
    </Dialog>
  ))
  if (answer === 'discard') form.discard()
  if (answer === 'save') return (await saveForm(form)) !== null
  return answer === 'discard'
}
