import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { formatInteger } from '../core/format.ts'
import { t } from '../core/i18n.ts'
import { ScrollBox } from '../ui/scroll-box.tsx'
import { type ExportColumn, headOf, isNumeric } from './fields.ts'
import { type ExportChoice, type ExportSource, exportAddress, parseCsv } from './request.ts'
import type { Refused } from './running-export.ts'
import { written } from './written.ts'

const ROWS = 4
/** Delay before the preview is loaded, so that only the last of several choices is requested. */
const REST_MS = 200

/** The first rows, and the columns they were loaded for: those on screen may have moved since. */
interface Loaded {
  readonly paths: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const NOTHING: Loaded = { paths: [], rows: [] }

interface PreviewProps {
  readonly source: ExportSource
  readonly choice: ExportChoice
  /** The number of all records as text; null if it is not known. */
  readonly count: string | null
  /** Further content of the preview's heading. */
  readonly children: ComponentChildren
}

/** The first rows of the file. */
export function ExportPreview({ source, choice, count, children }: PreviewProps) {
  const [loaded, setLoaded] = useState<Loaded>(NOTHING)
  const [trouble, setTrouble] = useState('')
  const [tries, setTries] = useState(0)
  const asked = [...choice.columns, ...currencyColumns(choice)]
  const href =
    choice.columns.length === 0
      ? null
      : exportAddress(source, { ...choice, columns: asked, format: 'csv', limit: ROWS })
  useEffect(() => {
    if (href === null) return setLoaded(NOTHING)
    const paths = asked.map(({ path }) => path)
    const stop = new AbortController()
    const load = async () => {
      const answer = await fetch(href, { headers: { accept: 'application/json' }, signal: stop.signal })
      if (answer.ok) setLoaded({ paths, rows: parseCsv(await answer.text()).slice(1, ROWS + 1) })
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
  }, [href, tries])
  const { columns } = choice
  const textOf = (row: readonly string[], path: string | undefined) => row[loaded.paths.indexOf(path ?? '')] ?? ''
  const cellOf = (row: readonly string[], column: ExportColumn) => {
    const text = written(column, textOf(row, column.path), choice.format)
    const currency = choice.format === 'pdf' && text !== '' ? textOf(row, column.currency) : ''
    return currency === '' ? text : `${text}\u00a0${currency}`
  }
  return (
    <section class="xp-pv" aria-label={t('Preview')}>
      <div class="xp-sub">
        <h3>{t('Preview')}</h3>
        <span class="t2 cut">{trouble === '' && loaded.rows.length > 0 && firstRows(loaded.rows.length, count)}</span>
        <span class="end">{children}</span>
      </div>
      {trouble !== '' && (
        <p class="xp-wait" role="alert">
          {trouble}{' '}
          <button type="button" class="link" onClick={() => setTries(tries + 1)}>
            {t('Try again')}
          </button>
        </p>
      )}
      <ScrollBox class="xp-scroll" label={t('The first rows of the file')}>
        <table class="xp-prev">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.path} scope="col" class={isNumeric(column) ? 'num' : undefined}>
                  {headOf(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {loaded.rows.map((row, index) => (
              <tr key={index}>
                {columns.map((column) => (
                  <td key={column.path} class={isNumeric(column) ? 'num' : undefined}>
                    <span class="cut">{cellOf(row, column)}</span>
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

/** The currencies of amounts in a report, which names them. */
function currencyColumns({ columns, format }: ExportChoice): readonly ExportColumn[] {
  const known = new Set(columns.map(({ path }) => path))
  const wanted = new Set(format === 'pdf' ? columns.flatMap(({ currency }) => currency ?? []) : [])
  return [...wanted].filter((path) => !known.has(path)).map((path) => ({ path, label: path, type: 'many2one' }))
}

/** "first 4 of 38". */
const firstRows = (shown: number, count: string | null): string =>
  count === null ? t('the first rows') : t('first {n} of {count}', { n: formatInteger(shown), count })
