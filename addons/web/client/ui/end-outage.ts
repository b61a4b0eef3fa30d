import { t } from '../core/i18n.ts'
import { CallError } from '../net/errors.ts'
import { type ShownToast, shown } from './toasts.tsx'

/** Closes toasts about the lost connection when it is back; those with a retry button stay. */
export function endOutage(): void {
  shown.value = shown.peek().flatMap((toast) => (isOutage(toast) ? stillOffered(toast) : [toast]))
}

const isOutage = ({ error }: ShownToast): boolean => error instanceof CallError && error.code === 'OFFLINE'

const stillOffered = (toast: ShownToast): readonly ShownToast[] =>
  toast.action
    ? [{ ...toast, text: t('The server did not answer'), more: t('It is back now. Trying again is safe.') }]
    : []
