import { useEffect, useState } from 'preact/hooks'
import { t, tn } from '../core/i18n.ts'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { MenuButton, type MenuItem } from '../ui/menu.tsx'
import { showError, showToast } from '../ui/toasts.tsx'
import type { ExportColumn } from './fields.ts'
import { askSetTitle } from './set-dialog.tsx'
import {
  columnsOf,
  createSet,
  type ExportSet,
  loadSets,
  mayChangeSet,
  removeSet,
  renameSet,
  replaceColumns,
} from './sets.ts'

interface SavedSetsProps {
  readonly model: string
  readonly columns: readonly ExportColumn[]
  /** Called with the columns; an empty list means those of the list. */
  readonly onPick: (columns: readonly ExportColumn[]) => void
}

const isSame = (set: ExportSet, columns: readonly ExportColumn[]): boolean =>
  set.columns.length === columns.length &&
  columns.every(({ path, heading }, i) => path === set.columns[i]!.path && heading === set.columns[i]!.heading)

/** The named sets of columns, the user's own and shared ones: to pick, save, rename, share and delete. */
export function SavedSets({ model, columns, onPick }: SavedSetsProps) {
  const [sets, setSets] = useState<readonly ExportSet[]>([])
  const [pickedId, setPickedId] = useState(0)
  const picked = sets.find(({ id }) => id === pickedId)
  const load = async () => setSets(await loadSets(model))
  useEffect(() => {
    load().catch(showError)
  }, [model])

  const pick = async (id: number) => {
    setPickedId(id)
    const set = sets.find((each) => each.id === id)
    if (set === undefined) return onPick([])
    const found = await columnsOf(model, set)
    onPick(found)
    const missing = set.columns.length - found.length
    if (missing > 0)
      showToast({
        level: 'warning',
        text: tn(
          missing,
          '{n} column of the set is not offered to you',
          '{n} columns of the set are not offered to you',
          {
            n: missing,
          },
        ),
      })
  }
  const saveAs = () =>
    askSetTitle({
      title: t('Save the columns as a set'),
      set: { name: '', isShared: false },
      save: async (title) => {
        const id = await createSet(model, title, columns)
        await load()
        setPickedId(id)
      },
    })
  const replace = async (set: ExportSet) => {
    await replaceColumns(set, columns)
    await load()
    showToast({ level: 'success', text: t('“{name}” is saved', { name: set.name }) })
  }
  const rename = (set: ExportSet) =>
    askSetTitle({
      title: t('Rename or share the set'),
      set,
      save: async (title) => {
        await renameSet(set, title)
        await load()
      },
    })
  const remove = async (set: ExportSet) => {
    const isMeant = await confirm({
      title: t('Delete “{name}”?', { name: set.name }),
      ...(set.isShared && { text: t('It is gone for everybody.') }),
      action: t('Delete'),
      isDanger: true,
    })
    if (!isMeant) return
    await removeSet(set)
    setPickedId(0)
    await load()
  }
  const items = (set: ExportSet): readonly MenuItem[] => [
    { label: t('Rename or share…'), icon: 'pencil', run: () => void rename(set) },
    { label: t('Delete the set'), icon: 'trash-2', isDanger: true, run: () => void remove(set).catch(showError) },
  ]
  const own = picked && mayChangeSet(picked) ? picked : null
  return (
    <>
      <label class="t2 wide" for="xp-set">
        {t('Set')}
      </label>
      <span class="pick">
        <select
          class="select"
          id="xp-set"
          aria-label={t('Set')}
          value={String(picked?.id ?? 0)}
          onChange={({ currentTarget: { value } }) => void pick(Number(value)).catch(showError)}
        >
          <option value="0">{t('Columns of the list')}</option>
          <Sets label={t('My sets')} sets={sets.filter(({ isShared }) => !isShared)} />
          <Sets label={t('For everybody')} sets={sets.filter(({ isShared }) => isShared)} />
        </select>
        <Icon name="chevron-down" size="s" />
      </span>
      {own && (
        <Button
          label={t('Save changes')}
          icon="save"
          kind="ghost"
          disabled={columns.length === 0 || isSame(own, columns)}
          onClick={() => void replace(own).catch(showError)}
        />
      )}
      <Button
        label={t('Save as…')}
        kind="ghost"
        {...(own === null && { icon: 'save' as const })}
        disabled={columns.length === 0}
        onClick={() => void saveAs()}
      />
      {own && (
        <MenuButton label={t('More about the set')} icon="ellipsis" iconOnly kind="ghost" items={() => items(own)} />
      )}
    </>
  )
}

const Sets = ({ label, sets }: { readonly label: string; readonly sets: readonly ExportSet[] }) =>
  sets.length === 0 ? null : (
    <optgroup label={label}>
      {sets.map(({ id, name }) => (
        <option key={id} value={String(id)}>
          {name}
        </option>
      ))}
    </optgroup>
  )
