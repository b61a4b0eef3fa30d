import type { Act } from '../../../core/acts.ts'
import { holds } from '../../../core/expression.ts'
import { t } from '../../../core/i18n.ts'
import { valuesOf } from '../../../store/records.ts'
import type { IconName } from '../../../ui/icon-names.ts'
import { isDangerous } from '../../shared/act/ask-before.tsx'
import { assignAct } from '../../shared/act/assign.ts'
import { scopeOf } from '../column/scope.ts'
import type { ListModel } from '../model/model.ts'
import { archiveSelected, deleteSelected, runListButton, selectedIds, showsArchived } from './bulk.ts'
import { exportList } from './export-list.ts'

/** Icons by keyword in the name of an action. Every action needs one, since narrow screens show only icons. */
const ICONS: readonly (readonly [words: RegExp, icon: IconName])[] = [
  [/confirm|done|won|approve|validate/, 'check'],
  [/cancel|lost|refuse/, 'circle-x'],
  [/send|mail/, 'send'],
  [/assign/, 'user-plus'],
  [/convert/, 'arrow-right'],
  [/print|report/, 'printer'],
]

const iconOf = (name: string): IconName => ICONS.find(([words]) => words.test(name))?.[1] ?? 'play'

/** Whether a condition hides something on each of the selected records, as far as these are known. */
const isHidden = ({ selection, entryOf }: ListModel, condition: string | undefined): boolean =>
  !selection.isAll.value &&
  [...selection.ids.value].every((id) => {
    const values = valuesOf(entryOf(id)).value
    return Object.keys(values).length > 0 && holds(condition, scopeOf(values))
  })

/** The actions on the selected rows: buttons of the header, then those of every list, if the user has the rights. */
export function selectionActs(model: ListModel): readonly Act[] {
  const { access, archivable, exportable, fields, root } = model.workspace.value.arch
  const isArchive = showsArchived(model)
  return [
    ...model.arch.actions
      .filter(({ attrs }) => !isHidden(model, attrs['invisible']))
      .map((node): Act => {
        const { name = '', string: label = name, icon = iconOf(name) } = node.attrs
        return { name, label, icon, isDanger: isDangerous(node.attrs), run: () => runListButton(model, node) }
      }),
    ...(access.write
      ? assignAct({
          model: model.arch.model,
          fields,
          ids: () => selectedIds(model),
          done: () => model.refresh(),
        })
      : []),
    ...(exportable
      ? [{ name: 'export', label: t('Export'), icon: 'download', run: () => exportList(model) } satisfies Act]
      : []),
    ...(access.write && archivable
      ? [
          {
            name: 'archive',
            label: isArchive ? t('Restore') : t('Archive'),
            icon: isArchive ? 'archive-restore' : 'archive',
            run: () => archiveSelected(model, isArchive),
          } satisfies Act,
        ]
      : []),
    ...(access.unlink && !isHidden(model, root.attrs['undeletable'])
      ? [
          {
            name: 'delete',
            label: t('Delete'),
            icon: 'trash-2',
            isDanger: true,
            run: () => deleteSelected(model),
          } satisfies Act,
        ]
      : []),
  ]
}
