import type { Env } from '../../env.ts'
import { inBaseLanguage } from '../../i18n/language.ts'
import type { Model } from '../../model/registry.ts'
import { ownTextOf } from '../statement/translations.ts'
import type { InputValues } from '../statement/values.ts'
import { search } from './search.ts'

/**
 * The stored texts of the translated fields among these, by record: the English one under the name of the field, and that of the
 * caller's language under its own name, null if there is none. Empty if the caller's language is English.
 */
export async function readStoredTexts(
  env: Env,
  model: Model,
  ids: readonly number[],
  names: readonly string[],
): Promise<ReadonlyMap<number, InputValues>> {
  const fields = model.translated.flatMap((field) => {
    const own = ownTextOf(env, field)
    return own !== undefined && (names.includes(field.name) || names.includes(own)) ? [field.name, own] : []
  })
  if (fields.length === 0) return new Map()
  const { records } = await search(inBaseLanguage(env), model, {
    domain: [['id', 'in', ids]],
    fields,
    archived: 'include',
    isTrusted: true,
  })
  return new Map(records.map(({ id, ...texts }) => [id as number, texts]))
}
