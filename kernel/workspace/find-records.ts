import { mayReadField, mayUseModel } from '../access/acl.ts'
import type { Env } from '../env.ts'
import { LIMITS } from '../limits.ts'
import type { Model } from '../model/registry.ts'
import { search } from '../orm/record/search.ts'
import { aboutFields, searchedFields } from '../view/about-fields.ts'
import type { WireDomain, WireFound } from '../view/wire.ts'
import { toWireField } from '../view/wire-field.ts'
import { anyDomain } from './join-domains.ts'
import { wireRecords } from './list-page.ts'

export interface Sought {
  /** Empty: the first records. */
  readonly text: string
  readonly models: readonly string[]
  /** Only records with a link to this one. */
  readonly of: { readonly model: string; readonly id: number } | null
}

/**
 * Records of several models by their name, by the other fields a typeahead searches, or by the record they are about: one
 * statement per model, with the user's rights. Models and fields the user may not read are left out.
 */
export async function findRecords(env: Env, { text, models, of }: Sought): Promise<readonly WireFound[]> {
  const found: WireFound[] = []
  for (const name of new Set(models)) {
    const model = env.registry.model(name)
    if (model === undefined || model.rpc === 'none' || !mayUseModel(env, name, 'read')) continue
    const domain = [
      ...(text === '' ? [] : textDomain(env, model, text)),
      ...(of === null ? [] : linkDomain(env, model, of)),
    ]
    const about = aboutFields(env, model)
    const currencies = about.flatMap(({ currencyField }) => currencyField ?? [])
    const fields = ['display_name', ...about.map((field) => field.name), ...currencies]
    const { records } = await search(env, model, { domain, fields: [...new Set(fields)], limit: LIMITS.foundRecords })
    if (records.length > 0)
      found.push({
        model: name,
        label: env.t(model.label),
        fields: about.map((field) => toWireField(env, field)),
        records: wireRecords(records),
      })
  }
  return found
}

function textDomain(env: Env, model: Model, text: string): WireDomain {
  const [about] = aboutFields(env, model)
  const isLink = about?.relation?.kind === 'many2one' && mayUseModel(env, about.relation.target, 'read')
  const names = ['display_name', ...searchedFields(env, model), ...(isLink ? [about.name] : [])]
  return anyDomain([...new Set(names)].map((name) => [[name, 'ilike', text]]))
}

/** Records that link to this one by any field that the user may read; none if the model has no such field. */
function linkDomain(env: Env, model: Model, { model: target, id }: NonNullable<Sought['of']>): WireDomain {
  const links = [...model.fields.values()].filter(
    (field) =>
      field.relation?.kind === 'many2one' &&
      field.relation.target === target &&
      field.column !== null &&
      mayReadField(env, field),
  )
  return links.length === 0 ? [['id', 'in', []]] : anyDomain(links.map(({ name }) => [[name, '=', id]]))
}
