import { mayReadField, mayWriteField } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import { badRequest } from '../../errors.ts'
import { inBaseLanguage } from '../../i18n/language.ts'
import { LIMITS } from '../../limits.ts'
import type { Field, Relation } from '../../model/fields/field.ts'
import type { ModelName } from '../../model/models.ts'
import type { Model } from '../../model/registry.ts'
import { mapInSlices } from '../../slices.ts'
import { linkedIds } from '../compute/needs-store.ts'
import { modelOf } from '../statement/scope.ts'
import type { InputValues } from '../statement/values.ts'
import { create } from './create.ts'
import { read } from './read.ts'

/**
 * Duplicates a record with the caller's rights and returns the new id. Copies every field with `copy` that the caller may
 * read and write, and its lines.
 */
export async function copyRecord(env: Env, modelName: ModelName, id: number): Promise<number> {
  const [copy] = await copyRecords(env, modelName, [id])
  return copy!
}

/** Duplicates records; the new ids in the order of the given ones. */
export async function copyRecords(env: Env, modelName: ModelName, ids: readonly number[]): Promise<number[]> {
  const model = modelOf(env, modelName)
  return create(env, model, await copiedValues(env, model, ids))
}

/** Values for a create of duplicates, by record. */
export async function copiedValues(env: Env, model: Model, ids: readonly number[]): Promise<InputValues[]> {
  const fields = [...model.fields.values()].filter((field) => isCopied(env, field))
  // The texts of each language are fields of their own.
  const records = await read(
    inBaseLanguage(env),
    model,
    ids,
    fields.map((field) => field.name),
  )
  const lines = new Map<Field, ReadonlyMap<number, InputValues>>()
  for (const field of fields) {
    if (field.relation?.kind !== 'one2many') continue
    const lineIds = records.flatMap((record) => linkedIds(record[field.name]))
    if (lineIds.length > LIMITS.copiedLines)
      throw badRequest('limit_exceeded', `At most ${LIMITS.copiedLines} lines can be copied at once.`)
    lines.set(field, await copiedLines(env, field.relation, lineIds))
  }
  return mapInSlices(env, records, (record) =>
    Object.fromEntries(
      fields.map(({ name }, index) => {
        const copies = lines.get(fields[index]!)
        return [name, copies ? linkedIds(record[name]).map((id) => [0, 0, copies.get(id)!]) : record[name]]
      }),
    ),
  )
}

const isCopied = (env: Env, field: Field): boolean =>
  field.copy && !field.system && !field.readonly && mayReadField(env, field) && mayWriteField(env, field)

/** Values of copied lines, without the link to their record, which the create sets. Their other links point at the same records. */
async function copiedLines(
  env: Env,
  { target, inverse }: Extract<Relation, { kind: 'one2many' }>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, InputValues>> {
  const copies = await copiedValues(env, modelOf(env, target), ids)
  const lines = await mapInSlices(env, copies, ({ [inverse]: _owner, ...line }) => line)
  return new Map(lines.map((line, index) => [ids[index]!, line]))
}
