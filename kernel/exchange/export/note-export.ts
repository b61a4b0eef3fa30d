import { auditAs, auditHourly } from '../../audit.ts'
import type { Caller } from '../../auth/principal.ts'
import type { Exchange } from '../../serve/route.ts'

/** What leaves: records of a model, or one of them, in a form. */
export interface ExportedFile {
  readonly model: string
  readonly format: 'csv' | 'xlsx' | 'pdf'
  readonly fields: readonly string[]
  readonly id?: number | undefined
  /** Records at most. */
  readonly limit?: number | undefined
}

/** So few records of a list may be the preview of a file, which a dialog asks for at every choice of a column. */
const PREVIEW_RECORDS = 5

export const isPreview = ({ id, limit }: Pick<ExportedFile, 'id' | 'limit'>): boolean =>
  id === undefined && limit !== undefined && limit <= PREVIEW_RECORDS

/** Tells the audit trail before the first byte leaves; the export itself only reads, so it has no transaction that could. */
export async function noteExport(
  { services, address, requestId }: Exchange,
  { user }: Caller,
  { model, format, fields, id, limit }: ExportedFile,
): Promise<void> {
  const actor = { id: user.id, name: user.name, address, requestId }
  const exported = { kind: 'exported', subject: model } as const
  if (isPreview({ id, limit })) return auditHourly(services.db, actor, { ...exported, detail: `${format} · preview` })
  const detail = [format, id === undefined ? null : `id ${id}`, fields.join(', ')].filter(Boolean).join(' · ')
  await auditAs(services.db, actor, [{ ...exported, detail }])
}
