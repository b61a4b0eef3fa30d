import { deferred } from '../core/deferred.tsx'
import type { Values } from '../store/records.ts'

const formDialog = deferred(() => import('../views/form/dialog.tsx'))

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
  return (await formDialog.load()).openFormDialog(request)
}

/** Values for the next new record of a model, kept until its form opens and reads them. */
let waiting: { readonly model: string; readonly values: Values } | null = null

export function prefill(model: string, values: Values): void {
  waiting = { model, values }
}

/** The values for a new record of this model. They are used only once. */
export function takePrefilled(model: string): Values | null {
  const found = waiting?.model === model ? waiting.values : null
  waiting = null
  return found
}
