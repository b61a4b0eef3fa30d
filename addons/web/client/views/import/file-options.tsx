import { t } from '../../core/i18n.ts'
import type { Batch } from './batch.ts'
import { SmallSelect } from './small-select.tsx'
import type { ImportState } from './state.ts'

const ENCODINGS: readonly (readonly [value: string, text: string])[] = [
  ['utf-8', 'UTF-8'],
  ['windows-1252', 'Windows (Latin 1)'],
  ['utf-16le', 'UTF-16'],
  ['utf-16be', 'UTF-16 BE'],
]

const SEPARATORS: Readonly<Record<string, () => string>> = {
  ',': () => t('Comma'),
  ';': () => t('Semicolon'),
  '\t': () => t('Tab'),
  '|': () => t('Vertical bar'),
}

/** How the file is read, in short: "UTF-8, semicolon". */
export function fileWords({ file_name, encoding, separator }: Batch): readonly string[] {
  if (isWorkbook(file_name)) return ['Excel']
  const characters = ENCODINGS.find(([value]) => value === (encoding ?? 'utf-8'))?.[1] ?? encoding ?? ''
  return [characters, SEPARATORS[separator ?? ',']?.() ?? '']
}

const isWorkbook = (name: string | null) => /\.xlsx$/i.test(name ?? '')

/** The guessed settings for reading the file, shown so that the user can see and correct a wrong guess. */
export function FileOptions({ state, batch }: { readonly state: ImportState; readonly batch: Batch }) {
  const isDisabled = state.running.value !== null
  // A workbook needs no settings.
  const isText = !isWorkbook(batch.file_name)
  return (
    <div class="foot-bar" role="group" aria-label={t('How the file is read')}>
      {isText && (
        <>
          <SmallSelect
            label={t('Characters')}
            value={batch.encoding ?? 'utf-8'}
            options={ENCODINGS}
            isDisabled={isDisabled}
            onPick={(encoding) => void state.readAgain({ encoding })}
          />
          <SmallSelect
            label={t('Separator')}
            value={batch.separator ?? ','}
            options={Object.entries(SEPARATORS).map(([value, text]) => [value, text()] as const)}
            isDisabled={isDisabled}
            onPick={(separator) => void state.readAgain({ separator })}
          />
        </>
      )}
      <label class="opt">
        <input
          type="checkbox"
          class="check"
          checked={batch.has_header}
          disabled={isDisabled}
          onChange={({ currentTarget }) => void state.readAgain({ has_header: currentTarget.checked ? '1' : '0' })}
        />
        {t('The first row names the columns')}
      </label>
    </div>
  )
}
