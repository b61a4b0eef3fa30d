import { requireModel } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import type { Model } from '../../model/registry.ts'
import { slicesOf } from '../../slices.ts'
import { collectStale, type Stale } from '../compute/compute.ts'
import { requireCompanies } from '../statement/company.ts'
import { requireTargets } from '../statement/targets.ts'
import { inOwnLanguage } from '../statement/translations.ts'
import { type InputValues, type ParsedValues, parseValues } from '../statement/values.ts'
import { requireWritable, type WriteRights } from '../statement/writable.ts'
import { finishWrite } from './finish.ts'
import { type BaseVersions, type LineVersions, requireMergeable, requireMergeableLines } from './merge.ts'
import { readBeforeChange } from './rule-values.ts'
import { updateRows } from './update.ts'

export interface RecordWriteOptions extends WriteRights {
  readonly baseVersion?: BaseVersions | undefined
  readonly lineVersions?: LineVersions | undefined
}

/** Writes the same values to all records; all or nothing. */
export async function write(
  env: Env,
  model: Model,
  ids: readonly number[],
  values: InputValues,
  options: RecordWriteOptions = {},
): Promise<true> {
  requireModel(env, model, 'write')
  requireWritable(env, model, values, options)
  const parsed = inOwnLanguage(env, model, parseValues(env, model, values), 'write')
  requireCompanies(env, model, [parsed])
  if (ids.length === 0) return true
  await requireTargets(env, model, [parsed])
  if (options.baseVersion) await requireMergeable(env, model, values, options.baseVersion)
  if (options.lineVersions) await requireMergeableLines(env, model, values, options.lineVersions)
  await writeParsed(env, model, new Map(ids.map((id) => [id, parsed])))
  return true
}

/**
 * Writes to each record, by id, its own values; all or nothing. Records that get the same fields are written together, so the number of
 * statements does not depend on the number of records.
 */
export async function writeEach(
  env: Env,
  model: Model,
  values: ReadonlyMap<number, InputValues>,
  options: WriteRights = {},
): Promise<true> {
  if (values.size === 0) return true
  requireModel(env, model, 'write')
  const batches = new Map<string, Map<number, ParsedValues>>()
  for await (const slice of slicesOf(env, [...values])) {
    for (const [id, each] of slice) {
      requireWritable(env, model, each, options)
      const parsed = inOwnLanguage(env, model, parseValues(env, model, each), 'write')
      const key = [...changedFields(parsed)].sort().join(' ')
      const batch = batches.get(key) ?? new Map<number, ParsedValues>()
      batches.set(key, batch.set(id, parsed))
    }
  }
  const records = [...batches.values()].flatMap((batch) => [...batch.values()])
  requireCompanies(env, model, records)
  await requireTargets(env, model, records)
  for (const batch of batches.values()) await writeParsed(env, model, batch)
  return true
}

/** Writes values of the same fields, by record id. */
async function writeParsed(env: Env, model: Model, records: ReadonlyMap<number, ParsedValues>): Promise<void> {
  const [ids, values] = [[...records.keys()], [...records.values()]]
  const changed = changedFields(values[0]!)
  for (const { updating } of model.events) await updating?.(env, ids, changed as ReadonlySet<never>)
  const stale: Stale = new Map()
  // Collects what depended on the old links; everything else can be found after the write.
  const links = [...changed].filter((name) => model.fields.get(name)!.relation !== null)
  if (links.length > 0) await collectStale(env, model, ids, new Set(links), stale)
  // Users who can no longer read a record after the write get an event that it is hidden.
  const before = await readBeforeChange(env, model, ids, changed)
  const columns = new Map([...records].map(([id, each]) => [id, each.columns]))
  await updateRows(env, model, columns, { linkNames: values[0]!.links.keys(), changed })
  await finishWrite(env, model, ids, values, { changed, stale, before })
}

const changedFields = ({ columns, links, inverses }: ParsedValues): ReadonlySet<string> =>
  new Set([...columns.keys(), ...links.keys(), ...inverses.keys()])
