import { t } from '../core/i18n.ts'
import { Icon } from '../ui/icon.tsx'
import type { ExportFormat, PageSize } from './request.ts'

const FORMATS: readonly (readonly [ExportFormat, string])[] = [
  ['csv', 'CSV'],
  ['xlsx', 'Excel'],
  ['pdf', 'PDF'],
]

const PAGE_SIZES: readonly (readonly [PageSize, string])[] = [
  ['a4', 'A4'],
  ['letter', 'Letter'],
  ['legal', 'Legal'],
]

interface FormatChoiceProps {
  readonly format: ExportFormat
  readonly pageSize: PageSize
  readonly onFormat: (format: ExportFormat) => void
  readonly onPageSize: (size: PageSize) => void
}

/** The kind of file, and of a report the size of its pages. */
export const FormatChoice = ({ format, pageSize, onFormat, onPageSize }: FormatChoiceProps) => (
  <span class="end hs">
    <span class="seg" role="group" aria-label={t('Format')}>
      {FORMATS.map(([name, label]) => (
        <button key={name} type="button" aria-pressed={format === name} onClick={() => onFormat(name)}>
          {label}
        </button>
      ))}
    </span>
    {format === 'pdf' && (
      <span class="pick xp-size">
        <select
          class="select"
          aria-label={t('Page size')}
          value={pageSize}
          onChange={({ currentTarget: { value } }) => onPageSize(value as PageSize)}
        >
          {PAGE_SIZES.map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" size="s" />
      </span>
    )}
  </span>
)
