import type { Env } from '../../../env.ts'
import type { Model } from '../../../model/registry.ts'
import { ownTextOf, storedNames } from '../../../orm/statement/translations.ts'
import { isSame } from './same-value.ts'

type Values = Readonly<Record<string, unknown>>

export interface Differing {
  /** As a write takes it. */
  readonly changed: Values
  /** What was stored under the same names; a name that is not here was not changed. */
  readonly before: Values
}

/**
 * What of the values of a file differs from a record: `now` as the caller reads it, `texts` those of `readStoredTexts`. Names are those
 * under which a write stores the values, which depends on the languages that the file has beside each other.
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
    // Alone, the English text would be taken for that of the caller's language.
    if (own !== undefined && field.name in changed && !(own in changed)) changed[own] = texts[own] ?? null
  }
  return { changed, before }
}
