import { type ReadonlySignal, signal } from '@preact/signals'
import { formatBytes, formatInteger } from '../core/format.ts'
import { t } from '../core/i18n.ts'
import { services } from '../services.ts'

/** The progress of an export. */
export interface Progress {
  /** Rows that are written; 0 before the first report. */
  readonly rows: number
  readonly bytes: number
  /** Estimated seconds left; null if not known. */
  readonly left: number | null
}

/** An export that runs on even if its dialog is closed. */
export interface RunningExport {
  /** Of the file. */
  readonly name: string
  /** Total number of rows; null if not known. */
  readonly total: number | null
  readonly progress: ReadonlySignal<Progress>
  /** Null if it was stopped. Rejects with the server's error. */
  readonly file: Promise<Blob | null>
  stop(): void
}

/** Bytes that are collected in memory before they become a blob, which the browser may store on disk. */
const PART_BYTES = 8_000_000

/** Exports of a page run one after the other, since the server runs one per user. */
let last: Promise<unknown> = Promise.resolve()

/** Requests a file. `href` gets a ticket, with which the server reports progress. */
export function startExport(href: string, { name, total }: Pick<RunningExport, 'name' | 'total'>): RunningExport {
  const progress = signal<Progress>({ rows: 0, bytes: 0, left: null })
  const stop = new AbortController()
  const ticket = crypto.randomUUID()
  const since = performance.now()
  const stopListening = services().bus.on('export.progress', (reports) => {
    const rows = reports.findLast((each) => each.ticket === ticket)?.done
    if (rows === undefined) return
    const left = total === null || rows > total ? null : ((performance.now() - since) / rows) * (total - rows)
    progress.value = { ...progress.peek(), rows, left: left === null ? null : Math.ceil(left / 1000) }
  })
  const load = async () => {
    const answer = await fetch(`${href}&ticket=${ticket}`, {
      headers: { accept: 'application/json' },
      signal: stop.signal,
    })
    if (!answer.ok) throw new Error(((await answer.json()) as Refused).error.message)
    return collect(answer, (bytes) => {
      progress.value = { ...progress.peek(), bytes }
    })
  }
  const file = last
    .then(load)
    .catch((error: unknown) => {
      if (stop.signal.aborted) return null
      throw error instanceof TypeError ? new Error(t('The connection was lost while the file was made.')) : error
    })
    .finally(() => {
      stopListening()
      removeEventListener('beforeunload', warn)
    })
  last = file.catch(() => undefined)
  addEventListener('beforeunload', warn)
  return { name, total, progress, file, stop: () => stop.abort() }
}

/** Asks before the page is closed, since the file would be lost. */
const warn = (event: BeforeUnloadEvent) => event.preventDefault()

export interface Refused {
  readonly error: { readonly message: string }
}

async function collect(answer: Response, onBytes: (bytes: number) => void): Promise<Blob> {
  const type = answer.headers.get('content-type') ?? ''
  const done: Blob[] = []
  let part: Uint8Array<ArrayBuffer>[] = []
  let partBytes = 0
  let bytes = 0
  const reader = answer.body!.getReader()
  for (let { value } = await reader.read(); value !== undefined; { value } = await reader.read()) {
    part.push(value)
    partBytes += value.length
    bytes += value.length
    onBytes(bytes)
    if (partBytes < PART_BYTES) continue
    done.push(new Blob(part))
    part = []
    partBytes = 0
  }
  return new Blob([...done, ...part], { type })
}

/** Saves a file that is here already. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // A browser that asks where to save the file reads it later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** "Row 731 of 1,284", without the parts that are not known. */
export function rowsText({ total }: RunningExport, { rows, bytes }: Progress): string {
  const row = formatInteger(rows)
  if (rows === 0) return bytes === 0 ? t('The file is being made') : formatBytes(bytes)
  return total === null || rows > total
    ? t('Row {row}', { row })
    : t('Row {row} of {total}', { row, total: formatInteger(total) })
}

/** "4 s left". */
export const leftText = ({ left }: Progress): string =>
  left === null ? '' : left < 100 ? t('{n} s left', { n: left }) : t('{n} min left', { n: Math.round(left / 60) })

/** From 0 to 100; null if not known. */
export const percentOf = ({ total }: RunningExport, { rows }: Progress): number | null =>
  rows === 0 || total === null || rows > total ? null : Math.round((rows / Math.max(total, 1)) * 100)
