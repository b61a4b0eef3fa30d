import { t } from '../../core/i18n.ts'
import { CallError, type ClientErrorCode } from '../../net/errors.ts'
import { services } from '../../services.ts'

interface Answer {
  readonly ok: boolean
  readonly redirect?: string
  readonly error?: {
    readonly code: ClientErrorCode
    readonly message: string
    readonly details: Record<string, unknown>
  }
}

/** Where a file goes: the records of a model, and the list that it is imported from. */
export interface ImportTarget {
  readonly model: string
  /** The window action of the list; 0 without one. */
  readonly actionId: number
  readonly next: string
}

/** Sends a file to be imported; the address of the page where its columns are mapped. */
export async function uploadFile({ model, actionId, next }: ImportTarget, file: File): Promise<string> {
  const form = new FormData()
  form.set('model', model)
  form.set('next', next)
  if (actionId > 0) form.set('action', String(actionId))
  form.set('file', file)
  const headers = { accept: 'application/json', 'x-csrf-token': services().session.csrfToken.peek() }
  const response = await fetch('/web/bulk/upload', { method: 'POST', body: form, headers }).catch(() => null)
  const answer = (await response?.json().catch(() => null)) as Answer | null
  if (answer?.ok && answer.redirect !== undefined) return answer.redirect
  const error = answer?.error
  if (error) throw new CallError(error.code, error.message, { details: error.details })
  throw new CallError('OFFLINE', t('The file could not be sent.'))
}
