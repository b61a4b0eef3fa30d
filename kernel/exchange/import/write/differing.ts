import type { Env } from '../../../env.ts'
import type { Model } from '../../../model/registry.ts'
import { ownTextOf, storedNames } from '../../../orm/statement/translations.ts'
import { isSame } from './same-value.ts'

type Values = Readonly<Record<string, unknown>>

export interface Differing {
  /** The values that differ, as arguments of a write. */
  readonly changed: Values
  /** The stored values of the changed names. */
  readonly before: Values
}

/**
 * The values of a file that differ from a record: `now` is the record as the caller reads it, `texts` the result of `readStoredTexts`.
 * Names are those under which a write stores the values, which depends on the languages that the file contains.
 */
export function differing(env: Env, model: Model, values: Values, now: Values, texts: Values = {}): Differing {
  const changed: Record<string, unknown> = {}
  const before: Record<string, unknown> = {}
  const stored = storedNames(env, model, values)
  for (const [name, value] of Object.entries(values)) {
    const own = stored.get(name)!
    const isText = Object.hasOwn(texts, own)
    const shown = isText && own === name ? texts[name] : now[name]
    if (isSame(model.fields.get(name)!, shown, value)) continue
    changed[own] = value
    before[own] = isText ? texts[own] : now[name]
  }
  for (const field of model.translated) {
    const own = ownTextOf(env, field)
    // Written alone, the English text would be taken for the text in the caller's language, so that one is written too.
    if (own !== undefined && field.name in changed && !(own in changed)) changed[own] = texts[own] ?? null
  }
  return { changed, before }
}
