import { asKernel, type Env } from '../../kernel/env.ts'
import type { Model } from '../../kernel/model/registry.ts'
import { read } from '../../kernel/orm/record/read.ts'

/** A record that other records may link to. */
export interface TargetRecord {
  readonly id: number
  /** The companies it belongs to; null: all. */
  readonly companies: readonly number[] | null
}

/** Records of a model with the companies they belong to; of the companies themselves, those of the user. */
export async function withCompanies(env: Env, model: Model, ids: readonly number[]): Promise<readonly TargetRecord[]> {
  if (model.name === 'core.company')
    return ids.filter((id) => env.user.allowedCompanyIds.includes(id)).map((id) => ({ id, companies: null }))
  const field = ['company_ids', 'company_id'].find((name) => model.fields.has(name))
  if (field === undefined) return ids.map((id) => ({ id, companies: null }))
  const records = await read(asKernel(env), model, ids, [field])
  return records.map((record) => ({ id: record['id'] as number, companies: companiesIn(record[field]) }))
}

/** Ids of companies in a value as read: `[id, name]` for one company, ids for several. */
const companiesIn = (value: unknown): readonly number[] | null =>
  !Array.isArray(value) ? null : typeof value[1] === 'string' ? [value[0] as number] : (value as readonly number[])

/** Ids of the records that a record of a company may link to. */
export const idsIn = (targets: readonly TargetRecord[], company: number | undefined): readonly number[] =>
  targets
    .filter(({ companies }) => companies === null || company === undefined || companies.includes(company))
    .map(({ id }) => id)
