import type { RecordValues } from '../../domain/evaluate.ts'
import type { Env } from '../../env.ts'
import type { Model } from '../../model/registry.ts'
import { runChecks } from '../compute/check.ts'
import { applyInverses, collectStale, recompute, type Stale } from '../compute/compute.ts'
import { addStale } from '../compute/stale.ts'
import { checkCompanies } from '../statement/company.ts'
import { fieldNamesIn } from '../statement/insert.ts'
import { requireFinalRule } from '../statement/new-row-rule.ts'
import { shownAs } from '../statement/translations.ts'
import { refuseCycles } from '../statement/tree.ts'
import type { ParsedValues } from '../statement/values.ts'
import { applyLinks } from './links.ts'

/** Runs the steps after an INSERT, in this order: links, inverses, computes, checks, rules, events. */
export async function finishCreate(
  env: Env,
  model: Model,
  ids: readonly number[],
  records: readonly ParsedValues[],
): Promise<void> {
  env.outbox.record('record.created', model.name, ids, null)
  const stale: Stale = new Map()
  await applyLinkedValues(env, model, ids, records, stale)
  // No record links to the new rows, unless their own values created such links.
  const isLinked = records.some(({ links, inverses }) => links.size + inverses.size > 0)
  await collectStale(env, model, ids, isLinked ? 'all' : 'created', stale)
  await recompute(env, stale)
  await runChecks(env, model, ids, 'all')
  if (isLinked || mayHaveCompany(model, records))
    await checkCompanies(env, model, ids, fieldNamesIn(records.flatMap(({ columns, links }) => [columns, links])))
  await requireFinalRule(env, model, ids, 'create')
  for (const { created } of model.events) await created?.(env, ids)
}

/** Whether a record may have a company; one without may link to records of any company. */
const mayHaveCompany = ({ fields }: Model, records: readonly ParsedValues[]): boolean =>
  fields.get('company_id')?.compute != null || records.some(({ columns }) => columns.get('company_id') != null)

export interface Written {
  readonly changed: ReadonlySet<string>
  /** The values that depended on the old links. */
  readonly stale: Stale
  /** The old values that record rules read, see `readForRules`. */
  readonly before: ReadonlyMap<number, RecordValues>
}

/** Runs the steps of `finishCreate` after an UPDATE. */
export async function finishWrite(
  env: Env,
  model: Model,
  ids: readonly number[],
  records: readonly ParsedValues[],
  { changed, stale, before }: Written,
): Promise<void> {
  env.outbox.record('record.updated', model.name, ids, shownAs(model, changed), before)
  await applyLinkedValues(env, model, ids, records, stale)
  await refuseCycles(env, model, ids, changed)
  await collectStale(env, model, ids, changed, stale)
  await recompute(env, stale)
  await runChecks(env, model, ids, changed)
  await checkCompanies(env, model, ids, changed)
  await requireFinalRule(env, model, ids, 'write')
  for (const { updated } of model.events) await updated?.(env, ids, changed as ReadonlySet<never>)
}

/** Applies x2many commands and inverses. Adds to `stale` the checks of these records that waited until all links were changed. */
async function applyLinkedValues(
  env: Env,
  model: Model,
  ids: readonly number[],
  records: readonly ParsedValues[],
  stale: Stale,
): Promise<void> {
  if (!records.some(({ links, inverses }) => links.size + inverses.size > 0)) return
  const byField = <T>(pick: (record: ParsedValues) => ReadonlyMap<string, T>) => {
    const collected = new Map<string, Map<number, T>>()
    records.forEach((record, index) => {
      for (const [name, value] of pick(record)) {
        collected.set(name, (collected.get(name) ?? new Map()).set(ids[index]!, value))
      }
    })
    return collected
  }
  const waiting = await env.openWrites.during(model.name, ids, async () => {
    for (const [name, commands] of byField((record) => record.links)) {
      await applyLinks(env, model.fields.get(name)!, commands)
    }
    const inverses = byField((record) => record.inverses)
    if (inverses.size > 0) await applyInverses(env, model, inverses)
  })
  for (const [name, those] of waiting) addStale(stale, model.name, name, [...those])
}
