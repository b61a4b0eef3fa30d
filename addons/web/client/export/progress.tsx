import { formatBytes, formatInteger } from '../core/format.ts'
import { t, tn } from '../core/i18n.ts'
import { Button } from '../ui/button.tsx'
import { showToast } from '../ui/toasts.tsx'
import { leftText, percentOf, type RunningExport, rowsText, saveBlob } from './running-export.ts'

/** The progress bar of an export. It is no live region, so that screen readers do not announce every step. */
function Bar({ running }: { readonly running: RunningExport }) {
  const percent = percentOf(running, running.progress.value)
  return (
    <span
      class={percent === null ? 'bar unknown' : 'bar'}
      role="progressbar"
      aria-label={t('Export')}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(percent !== null && { 'aria-valuenow': percent })}
    >
      <span style={{ width: `${percent ?? 30}%` }} />
    </span>
  )
}

interface RunFooterProps {
  readonly running: RunningExport
  readonly onKeep: () => void
}

/** The foot of the dialog while the file is made. */
export function RunFooter({ running, onKeep }: RunFooterProps) {
  const progress = running.progress.value
  return (
    <>
      <span class="xp-run grow">
        <span class="hs">
          <span class="spin" aria-hidden="true" />
          <b class="med tn">{rowsText(running, progress)}</b>
          <span class="t2 cut wide">{[running.name, leftText(progress)].filter(Boolean).join(', ')}</span>
        </span>
        <Bar running={running} />
      </span>
      <Button label={t('Keep in background')} kind="ghost" onClick={onKeep} />
      <Button label={t('Stop')} onClick={running.stop} />
    </>
  )
}

function ToastProgress({ running }: { readonly running: RunningExport }) {
  const progress = running.progress.value
  return (
    <span class="xp-toast">
      <span aria-hidden="true">{[rowsText(running, progress), leftText(progress)].filter(Boolean).join(', ')}</span>
      <Bar running={running} />
    </span>
  )
}

/** Keeps the export running with a notice, which offers the file when it is ready. */
export function keepInBackground(running: RunningExport): void {
  const { name, total } = running
  const close = showToast({
    level: 'info',
    text: t('Writing {file}', { file: name }),
    more: <ToastProgress running={running} />,
    action: { label: t('Stop'), run: running.stop },
    lasts: 0,
  })
  running.file.then(
    (file) => {
      close()
      if (file === null) return
      const rows = total === null ? [] : [tn(total, '{n} row', '{n} rows', { n: formatInteger(total) })]
      showToast({
        level: 'success',
        text: t('{file} is ready', { file: name }),
        more: [...rows, formatBytes(file.size)].join(', '),
        action: { label: t('Save'), run: () => saveBlob(file, name) },
        lasts: 0,
      })
    },
    (error: unknown) => {
      close()
      showToast({ level: 'error', text: t('{file} could not be made', { file: name }), more: messageOf(error) })
    },
  )
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
