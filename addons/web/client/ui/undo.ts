import { t } from '../core/i18n.ts'
import { showToast } from './toasts.tsx'

/** Something that is shown as done and carried out a little later, unless the user takes it back. */
export interface Undoable {
  /** “3 orders deleted” */
  readonly text: string
  /** `isLeaving`: the page is being closed, so the call must be able to outlive it. */
  readonly run: (isLeaving: boolean) => void
  /** Brings back what was hidden. */
  readonly undo: () => void
}

const UNDO_MS = 5_000
const waiting = new Set<(isLeaving: boolean) => void>()

/** Offers five seconds to take it back. It is carried out earlier when the toast is closed or the page is left. */
export function offerUndo({ text, run, undo }: Undoable): void {
  const carryOut = (isLeaving: boolean) => {
    if (waiting.delete(carryOut)) run(isLeaving)
  }
  waiting.add(carryOut)
  showToast({
    level: 'success',
    text,
    lasts: UNDO_MS,
    isRunningOut: true,
    action: {
      label: t('Undo'),
      run() {
        if (waiting.delete(carryOut)) undo()
      },
    },
    onGone: () => carryOut(false),
  })
}

/** Carries out what waits; called when the page is left. */
export function carryOutAll(): void {
  for (const carryOut of [...waiting]) carryOut(true)
}
