import type { Env } from '../../../env.ts'
import { type Field, Refusal } from '../../../model/fields/field.ts'
import { type LinkCommand, parseLinks } from '../../../model/fields/x2many.ts'
import { displayNames } from '../../../orm/record/project.ts'
import { modelOf } from '../../../orm/statement/scope.ts'
import { valueLabel } from '../../../workspace/value-label.ts'

/** Longer ones are cut: the line names all defaults of a list. */
const MAX_NAMES = 10
const MAX_CHARS = 80

/** The value that an action gives to a field of new records, in words: links by the names of their records. */
export async function defaultText(env: Env, field: Field, value: unknown): Promise<string> {
  const kind = field.relation?.kind
  if (kind === 'many2one' && typeof value === 'number') return (await namesOf(env, field, [value]))[0]!
  const commands = kind === undefined || kind === 'many2one' || value === null ? null : commandsOf(value)
  if (commands !== null) return linksText(env, field, commands)
  return typeof value === 'object' && value !== null
    ? JSON.stringify(value).slice(0, MAX_CHARS)
    : valueLabel(env, field, value)
}

/** Null for a value that is no list of commands: the import will refuse it. */
function commandsOf(value: unknown): readonly LinkCommand[] | null {
  try {
    return parseLinks(value)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return null
  }
}

async function linksText(env: Env, field: Field, commands: readonly LinkCommand[]): Promise<string> {
  const { ids, made } = linkedBy(commands)
  const names = await namesOf(env, field, ids.slice(0, MAX_NAMES))
  const parts = [
    ...names,
    ...(ids.length > MAX_NAMES ? ['…'] : []),
    ...(made > 0 ? [env.t('{count} new', { count: made })] : []),
  ]
  return parts.length === 0 ? env.t('None') : parts.join(', ')
}

/** What a new record is linked to after these commands: existing records, and how many are created for it. */
function linkedBy(commands: readonly LinkCommand[]): { readonly ids: readonly number[]; readonly made: number } {
  const ids = new Set<number>()
  let made = 0
  for (const [code, id, values] of commands) {
    if (code === 5 || code === 6) ids.clear()
    if (code === 6) for (const each of values as readonly number[]) ids.add(each)
    else if (code === 0) made++
    else if (code === 4) ids.add(id as number)
    else if (code === 2 || code === 3) ids.delete(id as number)
  }
  return { ids: [...ids], made }
}

async function namesOf(env: Env, field: Field, ids: readonly number[]): Promise<readonly string[]> {
  const names = await displayNames(env, modelOf(env, field.relation!.target), ids)
  return ids.map((id) => valueLabel(env, field, [id, names.get(id)]))
}
