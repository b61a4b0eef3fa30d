import { mayReadField } from '../access/acl.ts'
import type { Env } from '../env.ts'
import type { Field } from '../model/fields/field.ts'
import type { Model } from '../model/registry.ts'

/** Those of the named fields that the user may read. */
export const readableFields = (env: Env, model: Model, names: readonly string[]): readonly Field[] =>
  names.flatMap((name) => model.fields.get(name) ?? []).filter((field) => mayReadField(env, field))

/** The fields, beside the name, in which a search by text looks for records of a model. */
export const searchedFields = (env: Env, model: Model): readonly string[] =>
  readableFields(env, model, model.searchFields)
    // A field that only the owner may read, such as a login, must not reveal whose record it is.
    .filter(({ type, privateTo }) => type.comparison === 'text' && privateTo.length === 0)
    .map(({ name }) => name)

/** The fields shown beside the name of a record, as far as the user may read them. */
export const aboutFields = (env: Env, model: Model): readonly Field[] => readableFields(env, model, model.aboutFields)
