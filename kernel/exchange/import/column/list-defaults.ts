import { z } from 'zod'
import type { Env } from '../../../env.ts'
import { labelIn } from '../../../model/fields/translation.ts'
import type { Model } from '../../../model/registry.ts'
import { checkNew } from '../../../orm/record/create.ts'
import { requireTargets } from '../../../orm/statement/targets.ts'
import type { WindowAction } from '../../../view/tables.ts'
import { actionDefaults } from '../../../workspace/defaults.ts'
import type { Column } from './column.ts'
import { defaultText } from './default-text.ts'

/** A value that new records get if the file has no column for it, and how to show it. */
const listDefault = z.object({ field: z.string(), label: z.string(), text: z.string(), value: z.unknown() })

export type ListDefault = z.infer<typeof listDefault>

/** The values that the New button would fill in, in the list from which the import was started. */
export async function listDefaults(
  env: Env,
  model: Model,
  action: WindowAction | null,
): Promise<readonly ListDefault[]> {
  const values = action === null ? {} : actionDefaults(env, model, action.context)
  const described: ListDefault[] = []
  for (const [name, value] of Object.entries(values)) {
    const field = model.fields.get(name)!
    if (field.compute !== null) continue
    described.push({ field: name, label: labelIn(env.t, field), text: await defaultText(env, field, value), value })
  }
  return described
}

/**
 * The model with these values as the defaults of its fields, so that only new records get them, and only for fields the file does not fill.
 * They are checked with the rights of the caller, as if they were written.
 */
export async function withListDefaults(
  env: Env,
  model: Model,
  stored: unknown,
  columns: readonly Column[],
): Promise<Model> {
  const known = z.array(listDefault).safeParse(stored).data ?? []
  const wanted = known.filter(({ field: name }) => {
    const isFilled = columns.some(({ field, line }) => (line ?? field)?.name === name)
    return model.fields.has(name) && !isFilled
  })
  if (wanted.length === 0) return model
  const values = Object.fromEntries(wanted.map(({ field, value }) => [field, value]))
  await requireTargets(env, model, await checkNew(env, model, [values]))
  const fields = new Map(model.fields)
  for (const [name, value] of Object.entries(values))
    fields.set(name, { ...model.fields.get(name)!, default: () => value as never, defaultFrom: undefined })
  return { ...model, fields }
}
