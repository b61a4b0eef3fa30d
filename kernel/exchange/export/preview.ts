import type { ExportParams } from './export-query.ts'

/** So few records of a list are the preview of a file, which a dialog asks for at every choice of a column. */
const PREVIEW_RECORDS = 5

/** Lines and lists of a few records may be as long as a table; a preview ends here. */
const PREVIEW_BYTES = 16_384

/** Whether the first rows are asked for, to look at: no file leaves, so the audit trail is not told. */
export const isPreview = ({ id, limit, bom }: Pick<ExportParams, 'id' | 'limit' | 'bom'>, format: string): boolean =>
  format === 'csv' && id === undefined && !bom && limit !== undefined && limit <= PREVIEW_RECORDS

/** As much of a file as a preview has. */
export async function* cutToPreview(parts: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = PREVIEW_BYTES
  for await (const part of parts) {
    yield part.subarray(0, left)
    left -= part.length
    if (left <= 0) return
  }
}
