import { useState } from 'preact/hooks'
import { t } from '../../core/i18n.ts'
import { CallError } from '../../net/errors.ts'
import { services } from '../../services.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog, openDialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type ImportTarget, uploadFile } from './upload-file.ts'

/** Asks for a file to import into a list, sends it, and opens the page of the import. `fields` are those of the view, for a template. */
export async function importInto(
  list: Pick<ImportTarget, 'model' | 'actionId'>,
  fields: readonly string[],
): Promise<void> {
  const page = await askForFile({ ...list, fields, next: location.pathname + location.search })
  if (page !== null) await services().router.go(page)
}

/** Asks for a file and sends it. The page of its import, or null. */
export const askForFile = (target: Omit<UploadDialogProps, 'onClose'>): Promise<string | null> =>
  openDialog<string | null>((close) => <UploadDialog {...target} onClose={close} />)

interface UploadDialogProps extends ImportTarget {
  readonly fields: readonly string[]
  onClose(page: string | null): void
}

function UploadDialog({ fields, onClose, ...target }: UploadDialogProps) {
  const [isOver, setOver] = useState(false)
  const [sending, setSending] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const send = async (file: File | undefined) => {
    if (!file || sending !== null) return
    setSending(file.name)
    setProblem(null)
    try {
      onClose(await uploadFile(target, file))
    } catch (error) {
      setProblem(error instanceof CallError ? (Object.values(error.fields)[0] ?? error.message) : String(error))
      setSending(null)
    }
  }
  return (
    <Dialog
      title={t('Import')}
      onClose={() => onClose(null)}
      footer={
        <>
          {fields.length > 0 && (
            <span class="grow">
              <Button
                label={t('Template')}
                icon="download"
                kind="ghost"
                href={`/web/bulk/template?${new URLSearchParams({ model: target.model, fields: fields.join(','), bom: '1' })}`}
                isOutside
              />
            </span>
          )}
          <Button label={t('Cancel')} onClick={() => onClose(null)} />
        </>
      }
    >
      <label
        class={classNames('dropfile', isOver && 'over')}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          void send(event.dataTransfer?.files[0])
        }}
      >
        <input
          type="file"
          accept=".csv,.tsv,.txt,.xlsx,text/csv"
          aria-label={t('File to import')}
          disabled={sending !== null}
          onChange={({ currentTarget }) => void send(currentTarget.files?.[0])}
        />
        <Icon name="upload" size="xl" />
        <b>
          {sending === null ? t('Drop a CSV or Excel file here or choose one') : t('Reading {file}', { file: sending })}
        </b>
        <span class="fs12">{t('At most 8 MB and 50,000 rows. Nothing is written before you confirm.')}</span>
      </label>
      {problem !== null && (
        <p class="err" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  )
}
