import { t } from '../../../core/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import type { FormModel } from '../model/model.ts'

/** Closes the notice of a form. */
export const Dismiss = ({ form }: { readonly form: FormModel }) => (
  <Button
    label={t('Close')}
    icon="x"
    iconOnly
    kind="ghost"
    size="sm"
    onClick={() => {
      form.notice.value = null
    }}
  />
)
