import { useMemo, useState } from 'preact/hooks'
import { formatInteger } from '../core/format.ts'
import { t, tn } from '../core/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, openDialog } from '../ui/dialog.tsx'
import { ColumnList } from './column-list.tsx'
import { FieldTree } from './field-tree.tsx'
import type { ExportPath } from './fields.ts'
import { ExportPreview } from './preview.tsx'
import {
  type ExportFormat,
  type ExportRows,
  type ExportSource,
  exportAddress,
  fetchFile,
  type PageSize,
  saveFile,
} from './request.ts'
import { SavedSets } from './saved-sets.tsx'
import './export.css'

/** Asks what goes into the file, and saves it. */
export const openExport = (source: ExportSource): Promise<void> =>
  openDialog<void>((close) => <ExportDialog source={source} onClose={() => close()} />)

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

type Part = 'fields' | 'columns' | 'preview'

function ExportDialog({ source, onClose }: { readonly source: ExportSource; readonly onClose: () => void }) {
  const [rows, setRows] = useState<ExportRows>(source.selected.length > 0 ? 'selected' : 'matching')
  const [format, setFormat] = useState<ExportFormat>('csv')
  const [pageSize, setPageSize] = useState<PageSize>('a4')
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState('')
  const [columns, setColumns] = useState(source.columns)
  const [part, setPart] = useState<Part>('columns')
  const chosen = useMemo(() => new Set(columns.map(({ path }) => path)), [columns])
  const toggle = (column: ExportPath) =>
    setColumns(chosen.has(column.path) ? columns.filter(({ path }) => path !== column.path) : [...columns, column])
  const choice = { rows, format, columns, pageSize }
  const href = columns.length === 0 ? null : exportAddress(source, choice)
  const download = async () => {
    if (href === null) return
    setTrouble('')
    setBusy(true)
    try {
      if (format === 'pdf') await fetchFile(href, `${source.title}.pdf`)
      else saveFile(href)
      onClose()
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('Export {what}', { what: source.title })}
      class="xp"
      onClose={onClose}
      footer={
        <>
          <span class="grow t2" role="status">
            {trouble !== ''
              ? trouble
              : href === null && columns.length > 0
                ? t('Too many records are selected one by one. Export all that match instead.')
                : `${recordsText(source, rows)}, ${tn(columns.length, '{n} column', '{n} columns', { n: columns.length })}`}
          </span>
          <Button label={t('Cancel')} onClick={onClose} />
          <Button
            label={exportLabel(source, rows)}
            icon="download"
            kind="primary"
            disabled={href === null || isBusy}
            onClick={() => void download()}
          />
        </>
      }
    >
      <div class="xp-set">
        <RowChoice source={source} rows={rows} onChange={setRows} />
        <SavedSets
          model={source.model}
          columns={columns}
          onPick={(picked) => setColumns(picked.length > 0 ? picked : source.columns)}
        />
        {format === 'pdf' && (
          <select
            class="select xp-size end"
            aria-label={t('Page size')}
            value={pageSize}
            onChange={({ currentTarget: { value } }) => setPageSize(value as PageSize)}
          >
            {PAGE_SIZES.map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        )}
        <span class={format === 'pdf' ? 'seg' : 'seg end'} role="group" aria-label={t('Format')}>
          {FORMATS.map(([name, label]) => (
            <button key={name} type="button" aria-pressed={format === name} onClick={() => setFormat(name)}>
              {label}
            </button>
          ))}
        </span>
      </div>
      <div class="seg xp-parts" role="group" aria-label={t('Show')}>
        {(['fields', 'columns', 'preview'] as const).map((each) => (
          <button key={each} type="button" aria-pressed={part === each} onClick={() => setPart(each)}>
            {{ fields: t('Fields'), columns: t('Columns'), preview: t('Preview') }[each]}
          </button>
        ))}
      </div>
      <div class="xp-main" data-part={part}>
        <FieldTree model={source.model} chosen={chosen} onToggle={toggle} />
        <ColumnList columns={columns} onChange={setColumns} />
        <ExportPreview source={source} choice={choice} />
      </div>
    </Dialog>
  )
}

interface RowChoiceProps {
  readonly source: ExportSource
  readonly rows: ExportRows
  readonly onChange: (rows: ExportRows) => void
}

/** How many records go into the file, as a number and as text; null for all, which nobody has counted. */
const countRecords = ({ selected, matching, matchingText }: ExportSource, rows: ExportRows): Counted | null =>
  ({
    selected: { count: selected.length, n: formatInteger(selected.length) },
    matching: { count: matching, n: matchingText },
    all: null,
  })[rows]

interface Counted {
  readonly count: number
  readonly n: string
}

function recordsText(source: ExportSource, rows: ExportRows): string {
  const counted = countRecords(source, rows)
  return counted === null ? t('All records') : tn(counted.count, '{n} record', '{n} records', { n: counted.n })
}

function exportLabel(source: ExportSource, rows: ExportRows): string {
  const counted = countRecords(source, rows)
  if (counted === null) return t('Export all records')
  return tn(counted.count, 'Export {n} record', 'Export {n} records', { n: counted.n })
}

function RowChoice({ source: { selected, matchingText }, rows, onChange }: RowChoiceProps) {
  const n = formatInteger(selected.length)
  const choices: readonly (readonly [ExportRows, string])[] = [
    ...(selected.length > 0 ? [['selected', tn(selected.length, '{n} selected', '{n} selected', { n })] as const] : []),
    ['matching', t('{n} matching', { n: matchingText })],
    ['all', t('All')],
  ]
  return (
    <span class="seg" role="group" aria-label={t('Records')}>
      {choices.map(([name, label]) => (
        <button key={name} type="button" aria-pressed={rows === name} onClick={() => onChange(name)}>
          {label}
        </button>
      ))}
    </span>
  )
}
