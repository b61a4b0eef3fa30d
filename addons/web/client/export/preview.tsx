import { useEffect, useState } from 'preact/hooks'
import { t } from '../core/i18n.ts'
import { ScrollBox } from '../ui/scroll-box.tsx'
import { isNumeric, shownCell } from './fields.ts'
import { type ExportChoice, type ExportSource, exportAddress, parseCsv, type Refused } from './request.ts'

const ROWS = 4
/** While columns are chosen, the last choice is what counts. */
const REST_MS = 200

/** The first rows of the file. */
export function ExportPreview({ source, choice }: { readonly source: ExportSource; readonly choice: ExportChoice }) {
  const [rows, setRows] = useState<readonly (readonly string[])[]>([])
  const [trouble, setTrouble] = useState('')
  const href = choice.columns.length === 0 ? null : exportAddress(source, { ...choice, format: 'csv', limit: ROWS })
  useEffect(() => {
    if (href === null) return setRows([])
    const stop = new AbortController()
    const load = async () => {
      const answer = await fetch(href, { headers: { accept: 'application/json' }, signal: stop.signal })
      if (answer.ok) setRows(parseCsv(await answer.text()).slice(1, ROWS + 1))
      setTrouble(answer.ok ? '' : ((await answer.json()) as Refused).error.message)
    }
    const timer = setTimeout(
      () => load().catch(() => stop.signal.aborted || setTrouble(t('The preview failed.'))),
      REST_MS,
    )
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [href])
  const { columns } = choice
  // A text file has values as an import reads them; the others show them as people do.
  const isRaw = choice.format === 'csv'
  return (
    <section class="xp-pv" aria-label={t('Preview')}>
      <div class="xp-sub">
        <h3>{t('Preview')}</h3>
        <span class="t2">
          {trouble !== '' ? '' : isRaw ? t('the first rows, as a program reads them') : t('the first rows')}
        </span>
      </div>
      {trouble !== '' && (
        <p class="xp-wait" role="alert">
          {trouble}
        </p>
      )}
      <ScrollBox class="xp-scroll" label={t('The first rows of the file')}>
        <table class="xp-prev">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.path} scope="col" class={isNumeric(column) ? 'num' : undefined}>
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {columns.map((column, i) => (
                  <td key={column.path} class={isNumeric(column) ? 'num' : undefined}>
                    <span class="cut">{isRaw ? row[i] : shownCell(column, row[i] ?? '')}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  )
}
