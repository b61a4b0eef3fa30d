import type { Values } from '../store/records.ts'

export interface RecordRequest {
  readonly model: string
  /** Absent: a new record. */
  readonly id?: number
  /** Values a new record begins with. */
  readonly defaults?: Values
  /** Heading of the dialog; default: the name of the record or of its model. */
  readonly title?: string
}

/** Opens the form of a record in a dialog. Resolves with the saved record, or null if it was closed without saving. */
export async function openRecord(request: RecordRequest): Promise<readonly [id: number, name: string] | null> {
  const { openFormDialog } = await import('../views/form/dialog.tsx')
  return openFormDialog(request)
}
