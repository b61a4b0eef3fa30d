import './translations.css'
import { useId, useState } from 'preact/hooks'
import type { WireField } from '../../../../../../kernel/view/wire.ts'
import { t } from '../../../core/i18n.ts'
import { drawField, findField } from '../../../core/registries.ts'
import { languageName } from '../../../fields/value/language-name.ts'
import { services } from '../../../services.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, openDialog } from '../../../ui/dialog.tsx'
import { showError } from '../../../ui/toasts.tsx'
import type { FormModel } from '../model/model.ts'
import { refreshForm, saveForm } from '../save/save.ts'

type Texts = Readonly<Record<string, unknown>>

/** In calls in English, the name of the field means the English text. */
const ENGLISH = { lang: 'en' }

/** The globe beside a text that can be translated. */
export const translationsOf = (form: FormModel, field: WireField) => (
  <Button
    class="globe"
    label={t('{field} in all languages', { field: field.label })}
    icon="globe"
    iconOnly
    kind="ghost"
    size="sm"
    onClick={() => void editTexts(form, field).catch(showError)}
  />
)

/** Unsaved changes are saved first, because the text on screen is one of those to edit. */
async function editTexts(form: FormModel, field: WireField): Promise<void> {
  const id = form.isDirty.peek() ? await saveForm(form) : form.id
  if (id === null) return
  const { rpc } = services()
  const { model } = form.draft
  const names = [field.name, ...field.languages!.map((lang) => `${field.name}@${lang}`)]
  const [texts] = await rpc.call<readonly Texts[]>(model, 'read', [[id], names], ENGLISH)
  await openDialog<void>((close) => (
    <TextsDialog
      form={form}
      field={field}
      texts={texts!}
      save={async (changed) => {
        await rpc.call(model, 'write', [[id], changed], ENGLISH)
        await refreshForm(form, id)
      }}
      onClose={close}
    />
  ))
}

interface TextsDialogProps {
  readonly form: FormModel
  readonly field: WireField
  /** By field name: the English one under the name of the field, others under `name@de`. */
  readonly texts: Texts
  readonly save: (changed: Texts) => Promise<void>
  readonly onClose: () => void
}

function TextsDialog({ form, field, texts, save, onClose }: TextsDialogProps) {
  const [changed, setChanged] = useState<Texts>({})
  const [isBusy, setBusy] = useState(false)
  const id = useId()
  const isEmpty = field.required === true && (changed[field.name] ?? texts[field.name] ?? '') === ''
  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (isBusy || isEmpty) return
    setBusy(true)
    try {
      if (Object.keys(changed).length > 0) await save(changed)
      onClose()
    } catch (error) {
      setBusy(false)
      showError(error)
    }
  }
  return (
    <Dialog
      title={t('{field} in all languages', { field: field.label })}
      class="texts"
      onClose={onClose}
      footer={
        <>
          <Button label={t('Cancel')} onClick={onClose} />
          <Button label={t('Save')} kind="primary" type="submit" form={id} isBusy={isBusy} disabled={isEmpty} />
        </>
      }
    >
      <form id={id} class="fields" onSubmit={(event) => void submit(event)}>
        {['en', ...field.languages!].map((lang) => {
          const name = lang === 'en' ? field.name : `${field.name}@${lang}`
          const control = `${id}-${lang}`
          return (
            <div key={lang} class="field" lang={lang}>
              <label class="label" for={control}>
                {languageName(lang)}
              </label>
              {drawField(findField('form', field.type), {
                field: { ...field, name, label: languageName(lang) },
                // For a language without a translation, readers see the English text.
                node: {
                  tag: 'field',
                  addon: '',
                  attrs: { placeholder: String(texts[field.name] ?? '') },
                  children: [],
                },
                record: form.record,
                value: name in changed ? changed[name] : texts[name],
                id: control,
                readonly: false,
                required: lang === 'en' && field.required === true,
                error: null,
                view: 'form',
                onChange: (value) => setChanged((before) => ({ ...before, [name]: value })),
              })}
            </div>
          )
        })}
      </form>
    </Dialog>
  )
}
