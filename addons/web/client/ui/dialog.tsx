import { signal } from '@preact/signals'
import type { ComponentChildren, ComponentType } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { hotkeys } from '../core/hotkeys.ts'
import { t } from '../core/i18n.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'

export interface DialogProps {
  readonly title: string
  readonly class?: string
  /** Buttons of the footer, the confirming one last. */
  readonly footer?: ComponentChildren
  /** Called for Escape, the close button, or a click outside. */
  readonly onClose: () => void
  readonly children?: ComponentChildren
}

/** A modal dialog: the page behind it is inert, only its own shortcuts work, and the focus returns when it closes. */
export function Dialog({ title, class: extra, footer, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()

  useLayoutEffect(() => {
    const element = dialog.current
    const leaveLayer = hotkeys.enterLayer()
    const before = document.activeElement
    element?.showModal()
    // Focuses the first control, or else the safe button.
    element
      ?.querySelector<HTMLElement>('.body :is(input:not([type=hidden]), select, textarea), .df .btn.primary, .df .btn')
      ?.focus({ preventScroll: true })
    return () => {
      leaveLayer()
      // Closed first, because the page behind an open dialog cannot take the focus.
      element?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])

  return (
    <dialog
      ref={dialog}
      class={classNames('dialog', extra)}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => event.target === event.currentTarget && isOutside(event) && onClose()}
    >
      <header class="dh">
        <h2 id={heading}>{title}</h2>
        <Button label={t('Close')} icon="x" iconOnly kind="ghost" size="sm" onClick={onClose} />
      </header>
      <div class="body">{children}</div>
      {footer !== undefined && <footer class="df">{footer}</footer>}
    </dialog>
  )
}

function isOutside({ currentTarget, clientX, clientY }: MouseEvent): boolean {
  if (!(currentTarget instanceof Element)) return false
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}

interface OpenDialog {
  readonly id: number
  readonly Body: ComponentType
}

const open = signal<readonly OpenDialog[]>([])

/** Opens a dialog and resolves with the value it is closed with. */
export function openDialog<T>(draw: (close: (answer: T) => void) => ComponentChildren): Promise<T> {
  return new Promise((resolve) => {
    const id = Math.max(0, ...open.peek().map((each) => each.id)) + 1
    const close = (answer: T) => {
      open.value = open.peek().filter((each) => each.id !== id)
      resolve(answer)
    }
    open.value = [...open.peek(), { id, Body: () => <>{draw(close)}</> }]
  })
}

/** Renders the dialogs opened by `openDialog`; used once per page. */
export const DialogHost = () => (
  <>
    {open.value.map(({ id, Body }) => (
      <Body key={id} />
    ))}
  </>
)

export interface ConfirmOptions {
  readonly title: string
  readonly text?: string
  /** Label of the confirming button, such as “Delete 3 orders”. */
  readonly action: string
  readonly cancel?: string
  readonly isDanger?: boolean
}

/** Asks before something that cannot be undone. */
export const confirm = ({ title, text, action, cancel, isDanger = false }: ConfirmOptions): Promise<boolean> =>
  openDialog<boolean>((close) => (
    <Dialog
      title={title}
      onClose={() => close(false)}
      footer={
        <>
          <Button label={cancel ?? t('Cancel')} onClick={() => close(false)} />
          <Button label={action} kind={isDanger ? 'danger' : 'primary'} onClick={() => close(true)} />
        </>
      }
    >
      {text !== undefined && <p class="t2">{text}</p>}
    </Dialog>
  ))
