import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { WireTranslatedField } from '../../../../../../kernel/admin/wire-translations.ts'
import { t } from '../../../core/i18n.ts'
import { languageName } from '../../../fields/value/language-name.ts'
import { explain } from '../../../net/errors.ts'
import type { Row } from '../../../net/rpc.ts'
import { services } from '../../../services.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { UnsavedTexts } from './unsaved-texts.ts'
import { ENGLISH } from './use-texts.ts'

interface TextRowProps {
  readonly field: WireTranslatedField
  readonly lang: string
  readonly row: Row
  readonly unsaved: UnsavedTexts
  readonly onSaved: () => void
}

/** A text with its translation, which is saved when the control is left; Escape restores the stored text. */
export function TextRow({ field, lang, row, unsaved, onSaved }: TextRowProps) {
  const name = `${field.field}@${lang}`
  const english = String(row[field.field] ?? '')
  const [stored, setStored] = useState(String(row[name] ?? ''))
  const [typed, setTyped] = useState(stored)
  const [isSaved, setSaved] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  /** Texts are sent one after the other, so that the last one stays. */
  const sending = useRef(Promise.resolve())
  /** The last text that the server has stored. */
  const taken = useRef(stored)

  async function save(): Promise<boolean> {
    sending.current = sending.current.then(() => send(typed))
    await sending.current
    return taken.current === typed
  }

  useLayoutEffect(() => {
    if (typed === stored) return
    unsaved.add(save)
    return () => void unsaved.delete(save)
  }, [typed, stored])

  async function send(text: string): Promise<void> {
    if (text === taken.current) return
    setProblem(null)
    try {
      await services().rpc.call(field.model, 'write', [[row.id], { [name]: text.trim() === '' ? null : text }], ENGLISH)
      taken.current = text
      setStored(text)
      setSaved(true)
      onSaved()
    } catch (error) {
      setProblem(explain(error).text)
    }
  }

  const about = `trn-${row.id}-about`
  const common = {
    class: 'input',
    lang,
    value: typed,
    readOnly: !field.mayWrite,
    placeholder: english,
    'aria-label': t('{text} in {language}', { text: english, language: languageName(lang) }),
    'aria-invalid': problem === null ? undefined : ('true' as const),
    'aria-describedby': about,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => {
      setTyped(currentTarget.value)
      setSaved(false)
    },
    onBlur: () => void save(),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape' && typed !== stored) {
        event.stopPropagation()
        setTyped(stored)
        setProblem(null)
      }
      // In a single line Enter goes on to the next text, as in a sheet.
      if (event.key === 'Enter' && field.type === 'char') nextOf(event.currentTarget as HTMLElement)?.focus()
    },
  }
  return (
    <tr>
      <th scope="row" lang="en" class="trnen">
        {english}
      </th>
      <td class="trnown">
        {field.type === 'char' ? <input type="text" {...common} /> : <textarea rows={3} {...common} />}
        <span id={about} class={problem === null ? 'fs12 t2' : 'fs12 joberr'} role="status">
          {problem ?? (isSaved ? <Saved /> : '')}
        </span>
      </td>
    </tr>
  )
}

const Saved = () => (
  <span class="hs">
    <Icon name="check" size="s" />
    {t('Saved')}
  </span>
)

/** The control of the next row; leaving the last row saves it too. */
function nextOf(control: HTMLElement): HTMLElement | null {
  const next = control.closest('tr')?.nextElementSibling?.querySelector<HTMLElement>('.input') ?? null
  if (next === null) control.blur()
  return next
}
