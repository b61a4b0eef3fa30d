import { useState } from 'preact/hooks'
import { t } from '../core/i18n.ts'
import { services } from '../services.ts'
import { Button } from '../ui/button.tsx'
import type { ExportPath } from './fields.ts'

type Sets = Readonly<Record<string, readonly ExportPath[]>>

interface SavedSetsProps {
  readonly model: string
  readonly columns: readonly ExportPath[]
  readonly onPick: (columns: readonly ExportPath[]) => void
}

const isColumn = (value: unknown): value is ExportPath =>
  typeof value === 'object' && value !== null && ['path', 'label', 'type'].every((key) => key in value)

const readSets = (kept: unknown): Sets =>
  typeof kept === 'object' && kept !== null
    ? Object.fromEntries(
        Object.entries(kept).filter(([, columns]) => Array.isArray(columns) && columns.every(isColumn)),
      )
    : {}

/** Named sets of columns, kept for this user and model. */
export function SavedSets({ model, columns, onPick }: SavedSetsProps) {
  const { preferences } = services()
  const key = `export/${model}`
  const [sets, setSets] = useState<Sets>(() => readSets(preferences.get(key)))
  const [picked, setPicked] = useState('')
  const [name, setName] = useState<string | null>(null)
  const keep = (next: Sets) => {
    setSets(next)
    preferences.set(key, Object.keys(next).length === 0 ? null : next)
  }
  const save = (as: string) => {
    keep({ ...sets, [as]: columns })
    setPicked(as)
    setName(null)
  }
  if (name !== null)
    return (
      <form
        class="xp-name"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') save(name.trim())
        }}
      >
        <input
          class="input"
          aria-label={t('Name of the set')}
          placeholder={t('Name of the set')}
          maxLength={60}
          value={name}
          ref={(input) => input?.focus()}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button label={t('Save')} type="submit" disabled={name.trim() === ''} />
        <Button label={t('Cancel')} kind="ghost" onClick={() => setName(null)} />
      </form>
    )
  return (
    <>
      <label class="t2 wide" for="xp-set">
        {t('Set')}
      </label>
      <select
        class="select"
        id="xp-set"
        aria-label={t('Set')}
        value={picked}
        onChange={({ currentTarget: { value } }) => {
          setPicked(value)
          const set = sets[value]
          if (set) onPick(set)
        }}
      >
        <option value="">{t('Columns of the list')}</option>
        {Object.keys(sets).map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      {picked !== '' && (
        <>
          <Button label={t('Save')} icon="save" kind="ghost" onClick={() => save(picked)} />
          <Button
            label={t('Delete the set')}
            icon="trash-2"
            iconOnly
            kind="ghost"
            onClick={() => {
              const { [picked]: _gone, ...rest } = sets
              keep(rest)
              setPicked('')
            }}
          />
        </>
      )}
      <Button label={t('Save as')} kind="ghost" disabled={columns.length === 0} onClick={() => setName('')} />
    </>
  )
}
