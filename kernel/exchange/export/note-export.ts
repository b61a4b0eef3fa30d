import { auditAs, auditHourly } from '../../audit.ts'
import type { Caller } from '../../auth/principal.ts'
import type { Field } from '../../model/fields/field.ts'
import type { Exchange } from '../../serve/route.ts'
import type { ExportNode } from './columns.ts'
import type { ExportParams, PreparedExport } from './export-query.ts'

/** What leaves: records of a model, or one of them, in a form. */
export interface ExportedFile {
  readonly model: string
  readonly format: 'csv' | 'xlsx' | 'pdf'
  readonly fields: readonly string[]
  readonly id?: number | undefined
  readonly isPreview: boolean
}

/** So few records of a list may be the preview of a file, which a dialog asks for at every choice of a column. */
const PREVIEW_RECORDS = 5

/** Whether that few are asked for; `isPreview` knows whether they are few rows, too. */
export const asksForPreview = ({ id, limit }: Pick<ExportParams, 'id' | 'limit'>): boolean =>
  id === undefined && limit !== undefined && limit <= PREVIEW_RECORDS

/** Lists of a few records may be as long as a table: whoever asks for them exports these. */
export const isPreview = (
  params: Pick<ExportParams, 'id' | 'limit'>,
  { tree }: Pick<PreparedExport, 'tree'>,
): boolean => asksForPreview(params) && !hasLists(tree.root)

const hasLists = ({ leaves, links }: ExportNode): boolean =>
  leaves.some(({ field }) => isList(field)) || links.some(({ field, node }) => isList(field) || hasLists(node))

const isList = ({ relation }: Field): boolean => relation !== null && relation.kind !== 'many2one'

/** Tells the audit trail before the first byte leaves; the export itself only reads, so it has no transaction that could. */
export async function noteExport(
  { services, address, requestId }: Exchange,
  { user }: Caller,
  { model, format, fields, id, isPreview }: ExportedFile,
): Promise<void> {
  const actor = { id: user.id, name: user.name, address, requestId }
  const exported = { kind: 'exported', subject: model } as const
  if (isPreview) return auditHourly(services.db, actor, { ...exported, detail: `${format} · preview` })
  const detail = [format, id === undefined ? null : `id ${id}`, fields.join(', ')].filter(Boolean).join(' · ')
  await auditAs(services.db, actor, [{ ...exported, detail }])
}
