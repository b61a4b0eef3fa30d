import './add-column.css'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../../core/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { showError } from '../../../ui/toasts.tsx'
import type { Board } from '../model/board.ts'
import { createColumn } from '../model/create.ts'

/** Button and form at the end of the board that create a column. */
export function AddColumn({ board }: { readonly board: Board }) {
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    if (isOpen) input.current?.focus()
  }, [isOpen])

  const add = async () => {
    const name = input.current?.value.trim() ?? ''
    if (name === '' || isBusy) return
    setBusy(true)
    try {
      await createColumn(board, name)
      if (input.current) input.current.value = ''
      input.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }

  if (!isOpen) {
    return (
      <div class="addcol">
        <Button label={t('Add a column')} icon="plus" kind="ghost" onClick={() => setOpen(true)} />
      </div>
    )
  }
  return (
    <form
      class="addcol card form"
      aria-label={t('Add a column')}
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault()
          setOpen(false)
        }
        event.stopPropagation()
      }}
    >
      <label class="vh" for={id}>
        {t('Name of the column')}
      </label>
      <input class="input" id={id} ref={input} placeholder={t('Name of the column')} autocomplete="off" />
      <div class="hs acts">
        <Button label={t('Add')} kind="primary" size="sm" type="submit" keys="enter" isBusy={isBusy} />
        <Button label={t('Cancel')} kind="ghost" size="sm" onClick={() => setOpen(false)} />
      </div>
    </form>
  )
}
