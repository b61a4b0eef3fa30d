import type { WireActed } from '../../../../../../kernel/view/wire.ts'
import { t } from '../../../core/i18n.ts'
import type { CallOptions } from '../../../net/rpc.ts'
import { services } from '../../../services.ts'
import { attempt, showToast, undoAction } from '../../../ui/toasts.tsx'

export interface ActCall {
  readonly model: string
  readonly ids: readonly number[]
  /** Name of an object action, or one that every model has, such as `unlink`. */
  readonly action: string
  readonly vals?: Readonly<Record<string, string>>
  /** What `write` writes. */
  readonly values?: Readonly<Record<string, unknown>>
  /** Only finds out for which records it works. */
  readonly trial?: boolean
}

/** Ids that one call takes; of more the server says only the first reason. */
export const MAX_TRIED = 200

/** Runs an action on all records or on none; the answer says which refuse, and why. */
export function actOnRecords(call: ActCall, options?: CallOptions): Promise<WireActed> {
  const { session, rpc } = services()
  return rpc.post<WireActed>(call.model, `${session.bootstrap.wcApiBase}/act`, { ...call }, ({ done }) => done, options)
}

/** Takes an action back by the token it came with. */
export async function takeBack(model: string, { undo: token, done }: WireActed, options?: CallOptions): Promise<void> {
  const { session, rpc } = services()
  await rpc.post(model, `${session.bootstrap.wcApiBase}/undo`, { model, token }, () => done, options)
}

/** Tells that an action was done, with Undo where it can be taken back. */
export function tellDone(text: string, model: string, acted: WireActed, refresh: () => Promise<unknown>): void {
  const undoIt = async () => {
    await takeBack(model, acted)
    await refresh()
    showToast({ level: 'info', text: t('Undone') })
  }
  showToast({
    level: 'success',
    text,
    ...(acted.undo !== undefined && { action: undoAction(() => void attempt(undoIt)) }),
  })
}
