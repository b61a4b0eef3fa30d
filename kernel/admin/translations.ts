import { mayUseModel } from '../access/acl.ts'
import type { Env } from '../env.ts'
import { badRequest } from '../errors.ts'
import { translationName } from '../model/fields/translation.ts'
import type { Model } from '../model/registry.ts'
import { readGroup } from '../orm/group/group.ts'
import type { WireTranslatedField, WireTranslations } from './wire-translations.ts'

/** The translated fields of all models, and how many of their texts have a translation into `wanted`, by default the first language. */
export async function readTranslations(env: Env, wanted?: string): Promise<WireTranslations> {
  const models = [...env.registry.models.values()].filter(
    ({ name, rpc, translated }) => rpc !== 'none' && translated.length > 0 && mayUseModel(env, name, 'read'),
  )
  const languages = [...new Set(models.flatMap((model) => model.translated.flatMap((field) => field.languages)))].sort()
  const lang = wanted ?? languages[0] ?? 'en'
  if (wanted !== undefined && !languages.includes(wanted))
    throw badRequest('input_invalid', `lang: Texts are translated into ${languages.join(', ')}.`, { path: 'lang' })
  const fields: WireTranslatedField[] = []
  for (const model of models) fields.push(...(await fieldsOf(env, model, lang)))
  return {
    languages,
    lang,
    fields: fields.sort((a, b) => a.modelLabel.localeCompare(b.modelLabel) || a.label.localeCompare(b.label)),
  }
}

/** One statement counts all texts of a model. Archived records are counted too: they may come back. */
async function fieldsOf(env: Env, model: Model, lang: string): Promise<readonly WireTranslatedField[]> {
  const translated = model.translated.filter(({ languages, readonly }) => languages.includes(lang) && !readonly)
  if (translated.length === 0) return []
  const fields = translated.flatMap(({ name }, index) => [
    { name: `total_${index}`, field: name, measure: 'count' as const },
    { name: `translated_${index}`, field: translationName(name, lang), measure: 'count' as const },
  ])
  const [row] = await readGroup(env, model, { domain: [], groupby: [], fields }, { archived: 'include' })
  const mayWrite = mayUseModel(env, model.name, 'write')
  return translated.map(({ name, label, type }, index) => ({
    model: model.name,
    modelLabel: env.t(model.label),
    field: name,
    label: env.t(label),
    type: type.name,
    total: Number(row?.[`total_${index}`] ?? 0),
    translated: Number(row?.[`translated_${index}`] ?? 0),
    mayWrite,
  }))
}
