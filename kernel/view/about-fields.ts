import { mayReadField } from '../access/acl.ts'
import type { Env } from '../env.ts'
import type { Field } from '../model/fields/field.ts'
import type { Model } from '../model/registry.ts'

/** Those of the named fields that the user may read. */
export const readableFields = (env: Env, model: Model, names: readonly string[]): readonly Field[] =>
  names.flatMap((name) => model.fields.get(name) ?? []).filter((field) => mayReadField(env, field))

/** Where records of a model are looked for by what somebody types, beside their names. */
export const searchedFields = (env: Env, model: Model): readonly string[] =>
  readableFields(env, model, model.searchFields)
    // What only its owner reads, such as a login, finds nobody.
    .filter(({ type, privateTo }) => type.comparison === 'text' && privateTo.length === 0)
    .map(({ name }) => name)

/** What this user sees beside the name of a record. */
export const aboutFields = (env: Env, model: Model): readonly Field[] => readableFields(env, model, model.aboutFields)
