import type { Env } from '../env.ts'
import { AppError } from '../errors.ts'
import type { FieldName, ModelName, Row } from '../model/models.ts'
import { callAction } from '../orm/record/action.ts'
import { create } from '../orm/record/create.ts'
import { read } from '../orm/record/read.ts'
import { countByLink, countRecords, search, searchIds } from '../orm/record/search.ts'
import { unlink } from '../orm/record/unlink.ts'
import { write, writeEach } from '../orm/record/write.ts'
import { modelOf } from '../orm/statement/scope.ts'
import type { ModelApi } from './model-api.ts'

/**
 * `env.model(name)`: the ORM's verbs with the types of one model. The casts are safe because the registry checks the same at
 * run time.
 */
export function bindModel<M extends ModelName>(env: Env, name: M): ModelApi<M> {
  const model = modelOf(env, name)
  return {
    search: (domain, options) => searchIds(env, model, { ...options, domain, isTrusted: true }),
    async searchRead<F extends FieldName<M>>(domain: unknown, fields: readonly F[], options = {}) {
      const { records } = await search(env, model, { ...options, domain, fields, isTrusted: true })
      return records as Row<M, F>[]
    },
    count: (domain, options) => countRecords(env, model, { ...options, domain, isTrusted: true }),
    countBy: (link, domain, options) => countByLink(env, model, link, { ...options, domain, isTrusted: true }),
    read: async <F extends FieldName<M>>(ids: readonly number[], fields: readonly F[]) =>
      (await read(env, model, ids, fields, { isTrusted: true })) as Row<M, F>[],
    create: async (values, options) => (await create(env, model, [values], options))[0]!,
    // Creating nothing needs no right.
    createMany: async (values, options) => (values.length === 0 ? [] : create(env, model, values, options)),
    write: (ids, values, options) => write(env, model, ids, values, options),
    writeEach: (values, options) => writeEach(env, model, values, options),
    unlink: (ids) => unlink(env, model, ids),
    async call(ids, action, vals = {}) {
      const result = await callAction(env, model, ids, action, vals)
      if (result instanceof AppError) throw result
      return result
    },
  }
}
