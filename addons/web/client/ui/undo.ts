import { showToast, undoAction } from './toasts.tsx'

/** An action that is shown as done at once and carried out after a delay, unless the user undoes it. */
export interface Undoable {
  /** Text of the toast, such as “3 orders deleted”. */
  readonly text: string
  /** `isLeaving` is true if the page is being closed; the request must then outlive it. */
  readonly run: (isLeaving: boolean) => void
  /** Restores what was hidden. */
  readonly undo: () => void
}

const UNDO_MS = 5_000
const waiting = new Set<(isLeaving: boolean) => void>()

/** Shows a toast with Undo for five seconds. The action runs earlier if the toast is closed or the page is left. */
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
    action: undoAction(() => {
      if (waiting.delete(carryOut)) undo()
    }),
    onGone: () => carryOut(false),
  })
}

/** Runs all pending actions; called when the page is left. */
export function runPendingNow(): void {
  for (const carryOut of [...waiting]) carryOut(true)
}
