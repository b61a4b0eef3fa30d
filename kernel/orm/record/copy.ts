import { mayReadField, mayWriteField } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import type { Field } from '../../model/fields/field.ts'
import type { ModelName } from '../../model/models.ts'
import type { Model } from '../../model/registry.ts'
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
  const model = modelOf(env, modelName)
  const [copy] = await create(env, model, await copiedValues(env, model, [id]))
  return copy!
}

async function copiedValues(env: Env, model: Model, ids: readonly number[]): Promise<InputValues[]> {
  const fields = [...model.fields.values()].filter((field) => isCopied(env, field))
  const records = await read(
    env,
    model,
    ids,
    fields.map((field) => field.name),
  )
  const copies: InputValues[] = []
  for (const record of records) {
    const values: Record<string, unknown> = {}
    for (const field of fields) values[field.name] = await copiedValue(env, field, record[field.name])
    copies.push(values)
  }
  return copies
}

const isCopied = (env: Env, field: Field): boolean =>
  field.copy && !field.system && !field.readonly && mayReadField(env, field) && mayWriteField(env, field)

/** Lines are copied with their record; other links point at the same records. */
async function copiedValue(env: Env, field: Field, value: unknown): Promise<unknown> {
  if (field.relation?.kind !== 'one2many') return value
  const { target, inverse } = field.relation
  const lines = await copiedValues(env, modelOf(env, target), linkedIds(value))
  return lines.map(({ [inverse]: _owner, ...line }) => [0, 0, line])
}
