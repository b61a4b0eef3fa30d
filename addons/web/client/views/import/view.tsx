import { Switch } from '../../ui/switch.tsx'
import './view.css'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { formatInteger, formatList } from '../../core/format.ts'
import { t, tn } from '../../core/i18n.ts'
import type { ViewProps } from '../../core/registries.ts'
import { services } from '../../services.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { SkeletonForm } from '../../ui/skeleton.tsx'
import { showError } from '../../ui/toasts.tsx'
import type { Batch } from './batch.ts'
import { DryRun } from './dry-run.tsx'
import { FileOptions, fileWords } from './file-options.tsx'
import { useKeptFocus } from './keep-focus.ts'
import { MappingTable } from './mapping-table.tsx'
import { Result } from './result.tsx'
import { ErrorBar, rowsWithErrors } from './row-errors.tsx'
import { createImport, type ImportState, isMapped } from './state.ts'
import { askForFile } from './upload-dialog.tsx'
import { ValuesTable } from './values-table.tsx'

/** An import on one page: mapping, dry run, progress, result. */
export function View({ workspace }: ViewProps) {
  const state = useMemo(() => createImport(workspace.recordId), [workspace.recordId])
  useEffect(() => {
    if (workspace.recordId === 0) return
    void state.load().catch(showError)
  }, [state])
  useEffect(
    () =>
      services().bus.on('import.progress', (reports) => {
        const own = reports.findLast(({ id }) => id === workspace.recordId)
        if (own && state.running.peek() !== null) state.progress.value = own
      }),
    [state],
  )
  const box = useRef<HTMLDivElement>(null)
  useKeptFocus(state, box)
  const [hasOptions, setOptions] = useState(false)
  const batch = state.batch.value
  if (workspace.recordId === 0)
    return <Empty icon="upload" title={t('No file yet')} text={t('Open a list and choose Import there.')} />
  if (batch === null) return <SkeletonForm />
  const isOpen = batch.state === 'staged' || batch.state === 'mapped'
  return (
    <div class="view" ref={box}>
      <div class="ctlbar impctl">
        <Steps state={state} batch={batch} />
        {isOpen && (
          <div class="end">
            <Button
              label={t('Cancel import')}
              kind="ghost"
              disabled={state.running.value !== null}
              onClick={() => void askToCancel(state)}
            />
            <NextStep state={state} batch={batch} />
          </div>
        )}
      </div>
      {isOpen && <ErrorBar state={state} batch={batch} />}
      <Progress state={state} batch={batch} />
      <div class="scroll">
        {isOpen ? (
          <div class="imp">
            <div class="left">
              <section class="panel" aria-labelledby="mapping">
                <header>
                  <Icon name="file-spreadsheet" />
                  <h2 id="mapping" class="cut">
                    {batch.file_name || t('File')}
                  </h2>
                  <span class="t3 cut">
                    {[
                      tn(batch.row_count, '{n} row', '{n} rows', { n: formatInteger(batch.row_count) }),
                      tn(batch.columns?.length ?? 0, '{n} column', '{n} columns', {
                        n: formatInteger(batch.columns?.length ?? 0),
                      }),
                      ...fileWords(batch),
                    ].join(', ')}
                  </span>
                  <span class="end hs">
                    <Button
                      label={t('Options')}
                      icon="settings-2"
                      kind="ghost"
                      size="sm"
                      expanded={hasOptions}
                      onClick={() => setOptions(!hasOptions)}
                    />
                    <Button
                      label={t('Other file')}
                      icon="upload"
                      size="sm"
                      disabled={state.running.value !== null}
                      onClick={() => void otherFile(state, batch)}
                    />
                  </span>
                </header>
                {hasOptions && <FileOptions state={state} batch={batch} />}
                <MappingTable state={state} batch={batch} />
                <div class="foot-bar">
                  <Option
                    state={state}
                    label={updateLabel(state, batch)}
                    isOn={batch.import_mode === 'upsert'}
                    onChange={(isOn) => ({ import_mode: isOn ? 'upsert' : 'create' })}
                  />
                  <Option
                    state={state}
                    label={t('Remember this mapping')}
                    isOn={batch.remember}
                    onChange={(remember) => ({ remember })}
                  />
                  <ListDefaults state={state} batch={batch} />
                </div>
              </section>
              <ValuesTable state={state} batch={batch} />
            </div>
            <DryRun state={state} batch={batch} />
          </div>
        ) : (
          <Result state={state} batch={batch} />
        )}
      </div>
    </div>
  )
}

/** Asks for confirmation, since the mapping and decisions are lost. */
async function askToCancel(state: ImportState): Promise<void> {
  const isSure = await confirm({
    title: t('Cancel the import?'),
    text: t('What you mapped and settled is lost. Nothing was imported.'),
    action: t('Cancel import'),
    isDanger: true,
  })
  if (isSure) await state.cancel()
}

/** Another file, without leaving what was set up for this one. */
async function otherFile(state: ImportState, { model, action_id, next, fields }: Batch): Promise<void> {
  const shown = fields === null ? [] : fields.split(',')
  const page = await askForFile({ model, actionId: action_id?.[0] ?? 0, fields: shown, next: next ?? '' })
  if (page !== null) await state.replaceBy(page)
}

/** Names the fields by which records to update are found, if that mode is chosen. */
function updateLabel({ mapping }: ImportState, { import_mode, choices }: Batch): string {
  const entries = Object.values(mapping.value)
  const identity = entries.filter(({ field }) => field === 'id' || field === '.id')
  const keys = identity.length > 0 ? identity : entries.filter(({ key }) => key === true)
  const labels = keys.map(({ field }) => choices?.find(({ path }) => path === field)?.label ?? field)
  return import_mode === 'create' || labels.length === 0
    ? t('Update records that exist already')
    : t('Update records that exist already, found by {fields}', { fields: formatList(labels) })
}

/** Rows with errors without which nothing would be imported. */
const blockingRows = (state: ImportState, batch: Batch): number =>
  state.isSkipping.value ? 0 : rowsWithErrors(state, batch)

/** The button of the next step: checks if needed, then imports, with the number of rows. */
function NextStep({ state, batch }: { readonly state: ImportState; readonly batch: Batch }) {
  const running = state.running.value
  if (state.isStale.value && running === null)
    return <Button label={t('Check')} kind="primary" disabled={!isMapped(state)} onClick={() => void state.check()} />
  const { preview } = batch
  const blocking = blockingRows(state, batch)
  const rows = preview === null || state.isStale.value || blocking > 0 ? null : preview.create + preview.update
  return (
    <Button
      label={rows === null ? t('Import') : tn(rows, 'Import 1 row', 'Import {n} rows', { n: formatInteger(rows) })}
      kind="primary"
      isBusy={running === 'import'}
      disabled={running !== null || blocking > 0}
      onClick={() => void state.confirm()}
    />
  )
}

/** Values that new records get from the list they are imported into. */
function ListDefaults({ state, batch }: { readonly state: ImportState; readonly batch: Batch }) {
  const filled = new Set(Object.values(state.mapping.value).map(({ field }) => field))
  const given = (batch.defaults ?? []).filter(({ field }) => !filled.has(field))
  if (given.length === 0) return null
  const values = formatList(given.map(({ label, text }) => `${label}: ${text}`))
  return (
    <Option
      state={state}
      label={t('New records get {values}', { values })}
      isOn={batch.with_defaults}
      onChange={(with_defaults) => ({ with_defaults })}
    />
  )
}

interface OptionProps {
  readonly state: ImportState
  readonly label: string
  readonly isOn: boolean
  /** The settings to store. */
  readonly onChange: (isOn: boolean) => Parameters<ImportState['set']>[0]
}

/** A switch below the mapping, fixed while the import runs. */
const Option = ({ state, label, isOn, onChange }: OptionProps) => (
  <Switch
    label={label}
    isOn={isOn}
    disabled={state.running.value !== null}
    onChange={(next) => void state.set(onChange(next))}
  />
)

function Steps({ state, batch }: { readonly state: ImportState; readonly batch: Batch }) {
  const isOpen = batch.state === 'staged' || batch.state === 'mapped'
  const current = !isOpen ? 2 : state.running.value === 'import' ? 2 : 1
  const isDone = (index: number) => index < current || batch.state === 'done'
  return (
    <ol class="status" aria-label={t('Steps of the import')}>
      {[t('Upload'), t('Map and check'), t('Import')].map((label, index) => (
        <li key={label} class={isDone(index) ? 'done' : ''}>
          <span class="st" {...(index === current && { 'aria-current': 'step' as const })}>
            <Icon name={isDone(index) ? 'circle-check' : 'circle'} />
            {label}
          </span>
        </li>
      ))}
    </ol>
  )
}

function Progress({ state, batch }: { readonly state: ImportState; readonly batch: Batch }) {
  const running = state.running.value
  if (running === null) return null
  const { done, total } = state.progress.value ?? { done: 0, total: batch.row_count }
  const label = running === 'check' ? t('Checking') : running === 'import' ? t('Importing') : t('Undoing')
  return (
    <div class="impbar">
      <progress aria-label={label} max={Math.max(total, 1)} {...(state.progress.value && { value: done })} />
      <span class="t2 tn">{state.progress.value ? `${formatInteger(done)} / ${formatInteger(total)}` : label}</span>
    </div>
  )
}
