import { hotkeys } from '../../../core/hotkeys.ts'
import { t } from '../../../core/i18n.ts'
import type { ListModel } from '../model/model.ts'

/** Escape clears the selection. The keys of the grid are only listed in the overview of shortcuts; it handles them itself. */
export function listKeys({ arch, selection }: ListModel): () => void {
  const keys: readonly (readonly [keys: string, label: string])[] = [
    ['space', t('Select the row')],
    ['shift+arrowdown', t('Select several rows')],
    ['mod+a', t('Select all rows')],
    ['enter', t('Open the record')],
    ...(arch.editable !== null || arch.multiEdit
      ? ([
          ['e', t('Edit the cell')],
          ['f2', t('Edit the cell')],
        ] as const)
      : []),
    ...(arch.handle !== null ? ([['alt+arrowdown', t('Move the row')]] as const) : []),
  ]
  const group = t('List')
  const clear = () => (selection.isAny.peek() ? selection.clear() : false)
  const stops = [
    hotkeys.add({ keys: 'escape', label: t('Clear selection'), group, run: clear }),
    ...keys.map(([each, label]) => hotkeys.add({ keys: each, label, group, run: () => false })),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
