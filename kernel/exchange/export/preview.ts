import type { ExportParams } from './export-query.ts'

/** An export of a list with at most this many records is a preview, which the dialog requests whenever a column is chosen. */
const PREVIEW_RECORDS = 5

/** Lines and lists of a few records may be as long as a table; a preview ends here. */
const PREVIEW_BYTES = 16_384

/** Whether only a preview of the first rows is requested. No file is exported then, so the audit trail does not record it. */
export const isPreview = ({ id, limit, bom }: Pick<ExportParams, 'id' | 'limit' | 'bom'>, format: string): boolean =>
  format === 'csv' && id === undefined && !bom && limit !== undefined && limit <= PREVIEW_RECORDS

/** The beginning of a file, up to the size of a preview. */
export async function* cutToPreview(parts: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = PREVIEW_BYTES
  for await (const part of parts) {
    yield part.subarray(0, left)
    left -= part.length
    if (left <= 0) return
  }
}
