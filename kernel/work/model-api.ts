import type { ActionResult } from '../model/behavior.ts'
import type { Domain, FieldName, ModelName, Row, Values } from '../model/models.ts'
import type { ServerValues } from '../orm/statement/writable.ts'

export type Archived = 'exclude' | 'include' | 'only'

export interface ModelSearchOptions {
  /** Maximum number of records; without it all that match. */
  readonly limit?: number
  readonly offset?: number
  readonly order?: string
  readonly archived?: Archived
}

/** The verbs of a model inside the server, with the access checks of the acting user. */
export interface ModelApi<M extends ModelName> {
  search(domain: Domain<M>, options?: ModelSearchOptions): Promise<number[]>
  searchRead<const F extends FieldName<M>>(
    domain: Domain<M>,
    fields: readonly F[],
    options?: ModelSearchOptions,
  ): Promise<Row<M, F>[]>
  count(domain: Domain<M>, options?: Pick<ModelSearchOptions, 'archived'>): Promise<number>
  /** The number of matching records by the id in a many2one; ids without records are left out. */
  countBy(
    link: FieldName<M>,
    domain: Domain<M>,
    options?: Pick<ModelSearchOptions, 'archived'>,
  ): Promise<ReadonlyMap<number, number>>
  read<const F extends FieldName<M>>(ids: readonly number[], fields: readonly F[]): Promise<Row<M, F>[]>
  create(values: Values<M>, options?: ServerValues): Promise<number>
  createMany(values: readonly Values<M>[], options?: ServerValues): Promise<number[]>
  /** Writes the same values to all records. */
  write(ids: readonly number[], values: Values<M>, options?: ServerValues): Promise<true>
  /** Writes different values to each record, by id, with as many statements as a write of one record. */
  writeEach(values: ReadonlyMap<number, Values<M>>, options?: ServerValues): Promise<true>
  unlink(ids: readonly number[]): Promise<true>
  call(ids: readonly number[], action: string, vals?: Readonly<Record<string, string>>): Promise<ActionResult>
}
