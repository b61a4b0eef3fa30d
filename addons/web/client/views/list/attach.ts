import type { LiveUpdates } from '../../search/updates.tsx'
import { saveOnLeave } from './edit/save-on-leave.ts'
import { listKeys } from './grid/list-keys.ts'
import { printRows } from './grid/print-rows.ts'
import type { ListView } from './model/list-view.ts'
import { followList } from './model/live.ts'
import { keepMatching } from './select/keep-matching.ts'

/** Starts the work of a list besides drawing, once its rows are there. `isBusy`: whether the user is working in the list. */
export function attachList(view: ListView, box: HTMLElement, isBusy: () => boolean): LiveUpdates & { stop(): void } {
  const live = followList(view.model, view.editing, isBusy)
  const stops = [live.stop, saveOnLeave(view, box), listKeys(view.model), printRows(view), keepMatching(view.model)]
  return {
    ...live,
    stop() {
      for (const stop of stops) stop()
    },
  }
}
