import './new-record-form.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../core/i18n.ts'
import { CallError } from '../../net/errors.ts'
import { openRecord } from '../../router/open-record.ts'
import { services } from '../../services.ts'
import { createRecord } from '../../store/queries.ts'
import type { Values } from '../../store/records.ts'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'
import { showError } from '../../ui/toasts.tsx'
import type { PlanArch } from './arch.ts'

export interface NewRecordFormProps {
  readonly arch: PlanArch
  readonly anchor: { readonly current: HTMLElement | null }
  /** Values the record begins with: those of the action and of the place where it is created. */
  readonly values: Values
  /** When it happens, in words. */
  readonly when: ComponentChildren
  readonly onClose: () => void
  readonly onCreated: (id: number) => void
}

/** A small form for a new record: its name; the rest is known from where it was begun. If it needs more, the full form opens. */
export function NewRecordForm({ arch, anchor, values, when, onClose, onCreated }: NewRecordFormProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const title = arch.shown[0]?.field
  const isTyped = title?.type === 'char' && !title.readonly

  const toForm = async (more: Values) => {
    onClose()
    const saved = await openRecord({ model: arch.model, defaults: { ...values, ...more } })
    if (saved) onCreated(saved[0])
  }
  useEffect(() => {
    if (!isTyped) void toForm({})
  }, [])
  useLayoutEffect(() => input.current?.focus(), [])
  if (!isTyped) return null

  const typed = (): Values => ({ [title.name]: input.current?.value ?? '' })
  const submit = async () => {
    const name = input.current?.value.trim() ?? ''
    if (isBusy) return
    if (name === '') return input.current?.focus()
    setBusy(true)
    try {
      const made = await createRecord(services().rpc, arch.model, { ...values, [title.name]: name })
      announce(t('{name} was created.', { name }))
      onCreated(made)
      onClose()
    } catch (error) {
      // Required fields are missing that this form does not show.
      if (error instanceof CallError && error.code === 'VALIDATION') await toForm(typed())
      else showError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Popover anchor={anchor} role="dialog" class="quick" label={t('New')} onClose={onClose}>
      <form
        aria-busy={isBusy}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <label class="vh" for={id}>
          {title.label}
        </label>
        <input
          ref={input}
          id={id}
          class="input"
          placeholder={title.label}
          autocomplete="off"
          maxLength={title.size ?? 500}
        />
        <p class="hs t2">
          <Icon name="clock" />
          <span>{when}</span>
        </p>
        <div class="hs acts">
          <Button label={t('More options')} kind="ghost" size="sm" onClick={() => void toForm(typed())} />
          <Button label={t('Create')} kind="primary" size="sm" type="submit" keys="enter" isBusy={isBusy} />
        </div>
      </form>
    </Popover>
  )
}
