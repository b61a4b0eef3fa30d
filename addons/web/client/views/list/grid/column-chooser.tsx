import { useRef, useState } from 'preact/hooks'
import { t } from '../../../core/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { showError } from '../../../ui/toasts.tsx'
import { listParts } from '../model/deferred-parts.ts'
import type { ListModel } from '../model/model.ts'

/** Button at the end of the heading that opens the column chooser. */
export function Chooser({ model, isFocused }: { readonly model: ListModel; readonly isFocused: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  const Panel = isOpen ? listParts.value?.ChooserPanel : undefined
  return (
    <>
      <Button
        label={t('Choose columns')}
        icon="settings-2"
        iconOnly
        kind="ghost"
        size="sm"
        hasPopup="dialog"
        expanded={isOpen}
        tabIndex={isFocused ? 0 : -1}
        buttonRef={anchor}
        onClick={() => {
          setOpen(!isOpen)
          listParts.load().catch(showError)
        }}
      />
      {Panel && <Panel model={model} anchor={anchor} onClose={() => setOpen(false)} />}
    </>
  )
}
