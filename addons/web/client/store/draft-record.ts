import type { WireDomain, WireRelated } from '../../../../kernel/view/wire.ts'
import type { FieldRecord } from '../core/registries.ts'
import type { RecordDraft } from './draft.ts'

export interface DraftRecordOptions {
  /** `related` of the arch. */
  readonly related: Readonly<Record<string, WireRelated>>
  /** Where this record is in the arch: `line_ids.` for a line. */
  readonly prefix?: string
  readonly parent?: FieldRecord
  /** Domains of the last onchange, by field. */
  readonly domains?: () => Readonly<Record<string, WireDomain>>
}

/** A draft in the form that field widgets read. */
export const recordOfDraft = (
  draft: RecordDraft,
  { related, prefix = '', parent, domains }: DraftRecordOptions,
): FieldRecord => ({
  model: draft.model,
  id: draft.id,
  get: draft.get,
  lines: draft.lines,
  setLines: draft.setLines,
  changes: draft.toValues,
  related: (name) => related[prefix + name],
  domainOf: (name) => domains?.()[name],
  ...(parent && { parent }),
})
