import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { hotkeys } from '../core/hotkeys.ts'
import { t, tn } from '../core/i18n.ts'
import { services } from '../services.ts'
import { countRecords } from '../store/queries.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, openDialog } from '../ui/dialog.tsx'
import { Switch } from '../ui/switch.tsx'
import { ColumnList } from './column-list.tsx'
import { FieldTree } from './field-tree.tsx'
import { type ExportPath, isSummed } from './fields.ts'
import { FormatChoice } from './format-choice.tsx'
import { ExportPreview } from './preview.tsx'
import { keepInBackground, messageOf, RunFooter } from './progress.tsx'
import {
  type ExportChoice,
  type ExportFormat,
  type ExportRows,
  type ExportSource,
  exportAddress,
  type PageSize,
} from './request.ts'
import { countChosen, RowChoice, rowsLabel } from './row-choice.tsx'
import { type RunningExport, saveBlob, startExport } from './running-export.ts'
import { SavedSets } from './saved-sets.tsx'
import './export.css'

/** Asks what goes into the file, and saves it. */
export const openExport = (source: ExportSource): Promise<void> =>
  openDialog<void>((close) => <ExportDialog source={source} onClose={() => close()} />)

const EXPORT_KEYS = 'mod+enter'

type Part = 'fields' | 'columns' | 'preview'

function ExportDialog({ source, onClose }: { readonly source: ExportSource; readonly onClose: () => void }) {
  const [rows, setRows] = useState<ExportRows>(source.selected.length > 0 ? 'selected' : 'matching')
  const [format, setFormat] = useState<ExportFormat>('csv')
  const [pageSize, setPageSize] = useState<PageSize>('a4')
  /** Whether a total row was chosen; null: the default, which is on for a report and off for a table. */
  const [totals, setTotals] = useState<boolean | null>(null)
  const isKept = useRef(false)
  const [running, setRunning] = useState<RunningExport | null>(null)
  const [trouble, setTrouble] = useState('')
  const [columns, setColumns] = useState(source.columns)
  const [part, setPart] = useState<Part>('columns')
  const all = useCount(source)
  const chosen = useMemo(() => new Set(columns.map(({ path }) => path)), [columns])
  const toggle = (column: ExportPath) =>
    setColumns(chosen.has(column.path) ? columns.filter(({ path }) => path !== column.path) : [...columns, column])
  const canSum = columns.some((column) => isSummed(column, source.summed))
  const hasTotals = canSum && (totals ?? format === 'pdf')
  const choice = { rows, format, columns, pageSize, hasTotals }
  const href = columns.length === 0 ? null : exportAddress(source, choice)
  const counted = countChosen(source, rows, all)
  const make = async () => {
    if (href === null || running !== null) return
    setTrouble('')
    // With lines the number of rows is not known: only records are counted.
    const total = columns.some(({ isLine }) => isLine) ? null : (counted?.count ?? null)
    const started = startExport(href, { name: `${source.title}.${format}`, total })
    setRunning(started)
    try {
      const file = await started.file
      if (isKept.current) return
      setRunning(null)
      if (file === null) return
      saveBlob(file, started.name)
      onClose()
    } catch (error) {
      setRunning(null)
      setTrouble(messageOf(error))
    }
  }
  const keep = () => {
    if (running === null) return onClose()
    isKept.current = true
    keepInBackground(running)
    onClose()
  }
  const run = useRef(make)
  run.current = make
  useEffect(
    () => hotkeys.add({ keys: EXPORT_KEYS, label: t('Export'), inEditor: true, run: () => void run.current() }),
    [],
  )
  return (
    <Dialog
      title={t('Export {what}', { what: source.title })}
      class="xp"
      onClose={keep}
      footer={
        running === null ? (
          <>
            <span class="grow xp-sum" role="status">
              {trouble === '' ? (
                <Summary source={source} choice={choice} all={all} isTooLong={href === null && columns.length > 0} />
              ) : (
                <span class="down">{trouble}</span>
              )}
            </span>
            <Button label={t('Cancel')} onClick={onClose} />
            <Button
              label={rowsLabel(counted)}
              kind="primary"
              keys={EXPORT_KEYS}
              disabled={href === null}
              onClick={() => void make()}
            />
          </>
        ) : (
          <RunFooter running={running} onKeep={keep} />
        )
      }
    >
      <RowChoice {...{ source, rows, all }} isDisabled={running !== null} onChange={setRows} />
      <div class="xp-set" inert={running !== null}>
        <SavedSets
          model={source.model}
          columns={columns}
          onPick={(picked) => setColumns(picked.length > 0 ? picked : source.columns)}
        />
        <FormatChoice {...{ format, pageSize }} onFormat={setFormat} onPageSize={setPageSize} />
      </div>
      <div class="seg xp-parts" role="group" aria-label={t('Show')}>
        {(['fields', 'columns', 'preview'] as const).map((each) => (
          <button key={each} type="button" aria-pressed={part === each} onClick={() => setPart(each)}>
            {{ fields: t('Fields'), columns: t('Columns'), preview: t('Preview') }[each]}
          </button>
        ))}
      </div>
      <div class="xp-main" data-part={part} inert={running !== null}>
        <FieldTree model={source.model} chosen={chosen} onToggle={toggle} />
        <ColumnList {...{ columns, format }} summed={hasTotals ? source.summed : null} onChange={setColumns} />
        <ExportPreview source={source} choice={choice} count={counted?.text ?? null}>
          {canSum && <Switch class="fs12" label={t('Total row')} isOn={hasTotals} onChange={setTotals} />}
        </ExportPreview>
      </div>
    </Dialog>
  )
}

/** The number of all that the action shows; null until it is known. */
function useCount({ model, allDomain }: ExportSource): number | null {
  const [count, setCount] = useState<number | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    // Without the count only the length of the file is not known beforehand.
    countRecords(services().rpc, model, allDomain, { signal: stop.signal }).then(setCount, () => undefined)
    return () => stop.abort()
  }, [])
  return count
}

interface SummaryProps {
  readonly source: ExportSource
  readonly choice: ExportChoice
  readonly all: number | null
  readonly isTooLong: boolean
}

/** What the file will contain, or why it cannot be made. */
function Summary({ source, choice: { rows, columns }, all, isTooLong }: SummaryProps) {
  if (isTooLong)
    return (
      <span class="down">
        {rows === 'selected'
          ? t('Too many records are selected one by one. Export all that match instead.')
          : t('Too many columns and headings for one file. Remove some, or shorten the headings.')}
      </span>
    )
  const counted = countChosen(source, rows, all)
  return (
    <>
      <b class="med tn">
        {counted === null ? t('All records') : tn(counted.count, '{n} record', '{n} records', { n: counted.text })}
      </b>
      <span class="t2">, {tn(columns.length, '{n} column', '{n} columns', { n: columns.length })}</span>
    </>
  )
}
