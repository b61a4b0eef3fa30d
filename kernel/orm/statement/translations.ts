import type { Env } from '../../env.ts'
import type { Field } from '../../model/fields/field.ts'
import { closestOf, translationName } from '../../model/fields/translation.ts'
import type { Model } from '../../model/registry.ts'
import type { InputValues, ParsedValues } from './values.ts'

/** Name of the field with the text in the caller's language; undefined: the field itself has it. */
export function ownTextOf(env: Env, { name, languages }: Field): string | undefined {
  const lang = closestOf(languages, env.lang)
  return lang === undefined ? undefined : translationName(name, lang)
}

/**
 * The values with translated texts stored for the caller's language. A new record gets such a text as its English one as well, because it
 * has no other. If the values name the caller's language too (`name@de`), `name` is the English text.
 */
export function inOwnLanguage(env: Env, model: Model, parsed: ParsedValues, kind: 'create' | 'write'): ParsedValues {
  if (model.translated.length === 0) return parsed
  const columns = new Map(parsed.columns)
  for (const field of model.translated) {
    const own = ownTextOf(env, field)
    if (own === undefined || columns.has(own) || !columns.has(field.name)) continue
    columns.set(own, columns.get(field.name))
    if (kind === 'write') columns.delete(field.name)
  }
  return { ...parsed, columns }
}

/** The name under which a write stores each of its values. */
export function storedNames(env: Env, model: Model, values: InputValues): ReadonlyMap<string, string> {
  const stored = new Map(Object.keys(values).map((name) => [name, name]))
  for (const field of model.translated) {
    const own = ownTextOf(env, field)
    if (own !== undefined && stored.has(field.name) && !stored.has(own)) stored.set(field.name, own)
  }
  return stored
}

/** The changed fields as readers name them: with a translation (`name@de`) the field itself (`name`) has changed, too. */
export function shownAs(model: Model, changed: ReadonlySet<string>): ReadonlySet<string> {
  if (model.translated.length === 0) return changed
  return new Set([...changed].flatMap((name) => [name, model.fields.get(name)?.translationOf ?? name]))
}
