import type { WireRelated } from '../../../../kernel/view/wire.ts'
import type { FieldRecord } from '../core/registries.ts'
import type { Values } from './records.ts'

interface PlainRecord {
  readonly model: string
  /** Absent for values that belong to no single record: totals, groups, conflicts. */
  readonly id?: number
  /** `related` of the arch. */
  readonly related?: Readonly<Record<string, WireRelated>>
}

/** Values as the widgets of their fields read them, without a draft: nothing here can be edited. */
export const plainRecord = ({ model, id, related }: PlainRecord, values: Values): FieldRecord => ({
  model,
  id: id ?? null,
  get: (name) => values[name] ?? null,
  ...(related && { related: (name) => related[name] }),
})
