import { batch, type Signal, signal } from '@preact/signals'
import type { WireDomain } from '../../../../../../kernel/view/wire.ts'
import type { FieldRecord } from '../../../core/registries.ts'
import { createDraft, type RecordDraft } from '../../../store/draft.ts'
import { recordOfDraft } from '../../../store/draft-record.ts'
import { type InvalidText, isInvalidText } from '../../../store/invalid-text.ts'
import { createOnchange, type Onchange } from '../../../store/onchange.ts'
import { type Values, valuesOf } from '../../../store/records.ts'
import { writableValues } from '../../../store/writable.ts'
import { showToast } from '../../../ui/toasts.tsx'
import type { ListModel } from '../model/model.ts'

/** A row with changes that are not saved yet. */
export interface RowEdit {
  /** Null: a new record. */
  readonly id: number | null
  readonly draft: RecordDraft
  readonly record: FieldRecord
  readonly errors: Signal<Readonly<Record<string, string>>>
  /** Fields whose typed text is not a valid value. */
  readonly refused: Set<string>
  /** Fields the user changed, without those an onchange changed. */
  readonly touched: Set<string>
  readonly isSaving: Signal<boolean>
  readonly onchange: Onchange
  /** The values a save sends; values computed by the server are left out. */
  toSend(): Values
  /** Whether the user changed a value. Defaults of a new row do not count. */
  isDirty(): boolean
}

export function openRow(model: ListModel, id: number | null): RowEdit {
  const { arch } = model
  const { defaults, arch: wire } = model.workspace.peek()
  const fields = new Map(arch.fields.map((field) => [field.name, field]))
  const entry = id === null ? null : model.entryOf(id)
  const draft = createDraft({
    model: arch.model,
    id,
    fields: arch.fields,
    base: entry ? valuesOf(entry) : signal<Values>({}),
    ...(id === null && { initial: defaults }),
  })
  const errors: RowEdit['errors'] = signal({})
  const domains = signal<Readonly<Record<string, WireDomain>>>({})
  const refused = new Set<string>()
  const touched = new Set<string>()
  const toSend = () => writableValues(draft.toValues(), { fields, related: wire.related, defaults })
  return {
    id,
    draft,
    record: recordOfDraft(draft, { related: wire.related, domains: () => domains.value }),
    errors,
    refused,
    touched,
    isSaving: signal(false),
    onchange: createOnchange({
      draft,
      names: [...fields.keys()],
      onAnswer({ value, warnings, domains: narrowed }) {
        batch(() => {
          draft.assign(value)
          if (narrowed) domains.value = { ...domains.peek(), ...narrowed }
        })
        for (const { title, message } of warnings) showToast({ level: 'warning', text: title, more: message })
      },
      // A failed onchange does not interrupt typing; the save reports the problem.
      onError: () => undefined,
    }),
    toSend,
    isDirty: () => refused.size > 0 || (id === null ? touched.size > 0 : Object.keys(toSend()).length > 0),
  }
}

/** Sets the error of a text that is not a valid value; null clears it. */
export function refuse({ draft, errors, refused }: RowEdit, name: string, problem: string | InvalidText | null): void {
  if (isInvalidText(problem)) draft.set(name, problem)
  // While a text is being typed its error is not shown, but it prevents saving the row.
  const message = isInvalidText(problem) ? (problem.isTyping ? null : problem.problem) : problem
  const { [name]: before, ...others } = errors.peek()
  if (problem === null) refused.delete(name)
  else refused.add(name)
  if (message !== null) errors.value = { ...others, [name]: message }
  else if (before !== undefined) errors.value = others
}
