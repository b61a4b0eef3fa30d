import type { Env } from '../env.ts'
import type { TrackedChange } from '../model/behavior.ts'
import type { Field } from '../model/fields/field.ts'
import type { Model } from '../model/registry.ts'
import { valuesObject } from '../orm/record/update.ts'
import { fromTable, modelOf, rootScope } from '../orm/statement/scope.ts'
import type { InputValues } from '../orm/statement/values.ts'
import { sql } from '../sql/sql.ts'

/**
 * Calls the `tracked` handlers of each model with the changes of tracked fields in this transaction; one statement per model.
 */
export async function publishTracked(env: Env): Promise<void> {
  const { replaced } = env.outbox
  while (replaced.size > 0) {
    const all = [...replaced]
    replaced.clear()
    for (const [name, records] of all) {
      if (records.size === 0) continue
      const model = modelOf(env, name)
      const changes = await netChanges(env, model, records)
      if (changes.size === 0) continue
      for (const { tracked } of model.events) await tracked?.(env, changes)
    }
  }
}

/**
 * The values that differ from before the transaction, by record. A value changed back is no change; deleted records are left
 * out.
 */
async function netChanges(
  env: Env,
  model: Model,
  records: ReadonlyMap<number, InputValues>,
): Promise<ReadonlyMap<number, readonly TrackedChange[]>> {
  const ids = [...records.keys()]
  const names = new Set([...records.values()].flatMap((values) => Object.keys(values)))
  const fields = model.tracked.filter((field) => names.has(field.name))
  const currencies = [...new Set(fields.flatMap((field) => storedCurrency(model, field) ?? []))]
  const { rows } = await sql<{ id: number; now: InputValues; currency: Readonly<Record<string, number | null>> }>`
    select t.id, ${valuesObject(env, model, fields, 't')} as now, ${valuesObject(env, model, currencies, 't')} as currency
    from ${fromTable(rootScope(env, model))} where t.id = any(${ids}::int[])`.execute(env.tx)
  const changes = new Map<number, readonly TrackedChange[]>()
  for (const { id, now, currency } of rows) {
    const before = records.get(id)!
    const differing = fields
      .filter(({ name }) => Object.hasOwn(before, name) && JSON.stringify(before[name]) !== JSON.stringify(now[name]))
      .map((field) => {
        const link = storedCurrency(model, field)
        const change = { field: field.name, old: before[field.name], new: now[field.name] }
        return link ? { ...change, currency: currency[link.name] ?? null } : change
      })
    if (differing.length > 0) changes.set(id, differing)
  }
  return changes
}

/** The link of an amount to its currency, if the record itself stores it. */
function storedCurrency({ fields }: Model, { currencyField }: Field): Field | undefined {
  const link = currencyField === null ? undefined : fields.get(currencyField)
  return link?.column ? link : undefined
}
