import { type ReadonlySignal, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { WireToast } from '../../../../kernel/view/wire.ts'
import { deferred, deferredComponent } from '../core/deferred.tsx'
import { t } from '../core/i18n.ts'
import { explain, isCancelled } from '../net/errors.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

export interface ToastAction {
  readonly label: string
  readonly run: () => unknown
  /** Keys that run it while the toast is shown; see toast-keys.ts. */
  readonly keys?: string
}

/** The Undo action of a toast. */
export const undoAction = (run: () => void): ToastAction => ({ label: t('Undo'), run, keys: 'mod+z' })

export interface Toast {
  readonly level: WireToast['level']
  /** A signal for a text that changes. */
  readonly text: string | ReadonlySignal<string>
  /** A second line in smaller text. */
  readonly more?: ComponentChildren | ReadonlySignal<string>
  readonly action?: ToastAction
  /** A secret shown once, with a button to copy it; the toast stays until it is closed. */
  readonly secret?: string
  /** Milliseconds until it closes; 0 keeps it open. Default 5 s, longer for errors. */
  readonly lasts?: number
  /** Whether to show the remaining time. It starts again after the pointer or the focus leaves the toast. */
  readonly isRunningOut?: boolean
  /** The error it reports, so that it can be closed when the error is over. */
  readonly error?: unknown
  /** Called when it closes without its action being used; a delayed deletion is then carried out. */
  readonly onGone?: () => void
}

export interface ShownToast extends Toast {
  readonly id: number
}

export const shown = signal<readonly ShownToast[]>([])
let nextId = 1

const LASTS_MS = 5_000
const ERROR_LASTS_MS = 10_000

/** Shows a message at the edge of the page and returns a function that removes it. */
export function showToast(toast: Toast): () => void {
  const id = nextId++
  shown.value = [...shown.peek(), { ...toast, id }]
  return () => closeToast(id)
}

/** Removes a toast without running its action or `onGone`. */
export function closeToast(id: number): void {
  shown.value = shown.peek().filter((each) => each.id !== id)
}

/** Shows an error as a toast, unless the user cancelled. `again` is offered as a retry if that can help. */
export function showError(error: unknown, again?: () => unknown): void {
  if (isCancelled(error)) return
  const { title, text, requestId, retry } = explain(error, again)
  showToast({
    level: 'error',
    error,
    text: title,
    more: requestId === null ? text : `${text} ${t('Request {id}', { id: requestId })}`,
    ...(again && retry && { action: { label: t('Try again'), run: again } }),
  })
}

/** Runs a user's action; if it fails, shows the error with a retry. */
export const attempt = (run: () => Promise<unknown>): Promise<unknown> =>
  run().catch((error: unknown) => showError(error, () => attempt(run)))

const Secret = deferredComponent(
  deferred(() => import('./toast-secret.tsx')),
  ({ ToastSecret }) => ToastSecret,
)

const ICONS = { info: 'info', success: 'circle-check', warning: 'triangle-alert', error: 'circle-alert' } as const

/** Renders the toasts; used once per page. */
export const ToastHost = () => (
  <section class="toasts" aria-label={t('Notifications')} aria-live="polite">
    {shown.value.map((toast) => (
      <ToastCard key={toast.id} toast={toast} />
    ))}
  </section>
)

function ToastCard({ toast }: { readonly toast: ShownToast }) {
  const [isHeld, setHeld] = useState(false)
  const lasts = toast.secret !== undefined ? 0 : (toast.lasts ?? (toast.level === 'error' ? ERROR_LASTS_MS : LASTS_MS))
  const close = () => {
    closeToast(toast.id)
    toast.onGone?.()
  }
  useEffect(() => {
    // Stays open while it has the pointer or the focus, so that it can be read.
    if (lasts === 0 || isHeld) return
    const timer = setTimeout(close, lasts)
    return () => clearTimeout(timer)
  }, [isHeld])
  const act = () => {
    closeToast(toast.id)
    toast.action?.run()
  }

  return (
    <div
      class={`toast ${toast.level === 'error' ? 'danger' : toast.level}`}
      role={toast.level === 'error' ? 'alert' : 'status'}
      // Only if the pointer moves, not if the toast appears under a resting one.
      onPointerMove={({ movementX, movementY }) => (movementX || movementY) && setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <Icon name={ICONS[toast.level]} />
      <b>{toast.text}</b>
      <span class="acts">
        {toast.action && (
          <Button
            label={toast.action.label}
            kind="ghost"
            size="sm"
            {...(toast.action.keys !== undefined && { keys: toast.action.keys })}
            onClick={act}
          />
        )}
        <Button label={t('Close')} icon="x" iconOnly kind="ghost" size="sm" onClick={close} />
      </span>
      {toast.isRunningOut && (
        <span class="bar" aria-hidden="true">
          <span class={isHeld ? '' : 'running'} style={{ animationDuration: `${lasts}ms` }} />
        </span>
      )}
      {toast.more !== undefined && <span class="more">{toast.more}</span>}
      {toast.secret !== undefined && <Secret text={toast.secret} />}
    </div>
  )
}
