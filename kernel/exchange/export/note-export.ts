import { auditAs } from '../../audit.ts'
import type { Caller } from '../../auth/principal.ts'
import type { Exchange } from '../../serve/route.ts'

/** What is exported: records of a model, or one of them, and in which format. */
export interface ExportedFile {
  readonly model: string
  readonly format: 'csv' | 'xlsx' | 'pdf'
  readonly fields: readonly string[]
  readonly id?: number | undefined
}

/** Writes to the audit trail before the first byte is sent. It needs a transaction of its own, since that of the export is read-only. */
export async function noteExport(
  { services, address, requestId }: Exchange,
  { user }: Caller,
  { model, format, fields, id }: ExportedFile,
): Promise<void> {
  const actor = { id: user.id, name: user.name, address, requestId }
  const detail = [format, id === undefined ? null : `id ${id}`, fields.join(', ')].filter(Boolean).join(' · ')
  await auditAs(services.db, actor, [{ kind: 'exported', subject: model, detail }])
}
