import { hotkeys } from '../../../core/hotkeys.ts'
import { t } from '../../../core/i18n.ts'
import type { ListModel } from '../model/model.ts'

/** Lists the keys of the grid in the overview of shortcuts; the grid handles them itself. */
export function listKeys({ arch }: ListModel): () => void {
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
  const stops = keys.map(([each, label]) => hotkeys.add({ keys: each, label, group, run: () => false }))
  return () => {
    for (const stop of stops) stop()
  }
}
