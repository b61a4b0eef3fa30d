import { useState } from 'preact/hooks'
import { holds } from '../../../core/expression.ts'
import { formatInteger } from '../../../core/format.ts'
import { t, tn } from '../../../core/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import type { IconName } from '../../../ui/icon-names.ts'
import { scopeOf } from '../column/scope.ts'
import { countOf, countText } from '../model/layout.ts'
import type { ListView } from '../model/list-view.ts'
import { archiveSelected, deleteSelected, runListButton, showsArchived } from './bulk.ts'
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

/** Bar with the actions for the selected rows. */
export function SelectionBar({ view: { model } }: { readonly view: ListView }) {
  const [busy, setBusy] = useState('')
  const { selection, arch } = model
  const chosen = selection.ids.value
  const total = countOf(model.list)
  const isAll = selection.isAll.value
  if (!selection.isAny.value) return null
  const { access, archivable, exportable } = model.workspace.value.arch
  const isArchive = showsArchived(model)
  const run = (name: string, work: () => Promise<void>) => async () => {
    setBusy(name)
    await work()
    setBusy('')
  }
  const count = isAll ? total : chosen.size
  const figure = countText(model.list)
  return (
    <div class="selbar" role="toolbar" aria-label={t('Selection')}>
      <span class="n" aria-live="polite">
        {tn(count, '{n} selected', '{n} selected', { n: isAll ? figure : formatInteger(count) })}
      </span>
      {!isAll && chosen.size < total && (
        <Button
          label={t('Select all {n}', { n: figure })}
          kind="ghost"
          size="sm"
          class="link-btn wide"
          onClick={() => selection.all(model.loadedIds())}
        />
      )}
      <span class="sep" />
      {arch.actions
        .filter(({ attrs }) => !holds(attrs['invisible'], scopeOf({})))
        .map((node) => {
          const { name = '', string: label = name, icon = iconOf(name) } = node.attrs
          return (
            <Button
              key={name}
              label={label}
              icon={icon}
              kind="ghost"
              isBusy={busy === name}
              disabled={busy !== ''}
              onClick={run(name, () => runListButton(model, node))}
            />
          )
        })}
      {exportable && <Button label={t('Export')} icon="download" kind="ghost" onClick={() => void exportList(model)} />}
      {access.write && archivable && (
        <Button
          label={isArchive ? t('Restore') : t('Archive')}
          icon={isArchive ? 'archive-restore' : 'archive'}
          kind="ghost"
          isBusy={busy === 'archive'}
          disabled={busy !== ''}
          onClick={run('archive', () => archiveSelected(model, isArchive))}
        />
      )}
      {access.unlink && (
        <Button
          label={t('Delete')}
          icon="trash-2"
          kind="warn"
          class="ghost"
          disabled={busy !== ''}
          onClick={run('delete', () => deleteSelected(model))}
        />
      )}
      <span class="sep" />
      <Button
        label={t('Clear selection')}
        icon="x"
        iconOnly
        kind="ghost"
        keys="escape"
        onClick={() => selection.clear()}
      />
    </div>
  )
}
