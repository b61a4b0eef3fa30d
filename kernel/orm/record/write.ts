import { requireModel } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import type { Model } from '../../model/registry.ts'
import { collectStale, type Stale } from '../compute/compute.ts'
import { requireCompanies } from '../statement/company.ts'
import { requireTargets } from '../statement/targets.ts'
import { type InputValues, parseValues } from '../statement/values.ts'
import { changedFields, finishWrite } from './finish.ts'
import { type BaseVersions, type LineVersions, requireMergeable, requireMergeableLines } from './merge.ts'
import { updateRows } from './update.ts'

export interface ExpectedVersions {
  readonly baseVersion?: BaseVersions | undefined
  readonly lineVersions?: LineVersions | undefined
}

/** Writes the same values to all records; all or nothing. */
export async function write(
  env: Env,
  model: Model,
  ids: readonly number[],
  values: InputValues,
  options: ExpectedVersions = {},
): Promise<true> {
  requireModel(env, model, 'write')
  const parsed = parseValues(env, model, values)
  requireCompanies(env, model, [parsed])
  const records = [...new Set(ids)]
  if (records.length === 0) return true
  await requireTargets(env, model, [parsed])
  if (options.baseVersion) await requireMergeable(env, model, values, options.baseVersion)
  if (options.lineVersions) await requireMergeableLines(env, model, values, options.lineVersions)
  const changed = changedFields(parsed)
  for (const { updating } of model.events) await updating?.(env, records, changed as ReadonlySet<never>)
  const stale: Stale = new Map()
  // Collects what depended on the old links; everything else can be found after the write.
  const links = [...changed].filter((name) => model.fields.get(name)!.relation !== null)
  if (links.length > 0) await collectStale(env, model, records, new Set(links), stale)
  await updateRows(env, model, records, parsed.columns, parsed.links.keys())
  await finishWrite(env, model, records, parsed, stale)
  return true
}
