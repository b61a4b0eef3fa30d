import { useEffect, useState } from 'preact/hooks'
import { t, tn } from '../core/i18n.ts'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/dialog.tsx'
import { MenuButton, type MenuItem } from '../ui/menu.tsx'
import { showError, showToast } from '../ui/toasts.tsx'
import type { ExportPath } from './fields.ts'
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
  readonly columns: readonly ExportPath[]
  /** No columns stand for those of the list. */
  readonly onPick: (columns: readonly ExportPath[]) => void
}

const isSame = ({ paths }: ExportSet, columns: readonly ExportPath[]): boolean =>
  paths.length === columns.length && columns.every(({ path }, index) => path === paths[index])

/** The named sets of columns, one's own and those for everybody: to pick, save, rename, share and delete. */
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
    const missing = set.paths.length - found.length
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
  const items = (): readonly MenuItem[] => [
    { label: t('Save as…'), icon: 'plus', disabled: columns.length === 0, run: () => void saveAs() },
    ...(picked && mayChangeSet(picked)
      ? [
          { label: t('Rename or share…'), icon: 'pencil' as const, run: () => void rename(picked) },
          {
            label: t('Delete the set'),
            icon: 'trash-2' as const,
            isDanger: true,
            run: () => void remove(picked).catch(showError),
          },
        ]
      : []),
  ]
  return (
    <>
      <label class="t2 wide" for="xp-set">
        {t('Set')}
      </label>
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
      {picked && mayChangeSet(picked) && columns.length > 0 && !isSame(picked, columns) && (
        <Button
          label={t('Save changes')}
          icon="save"
          kind="ghost"
          onClick={() => void replace(picked).catch(showError)}
        />
      )}
      <MenuButton label={t('Sets of columns')} icon="ellipsis" iconOnly kind="ghost" items={items} />
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
