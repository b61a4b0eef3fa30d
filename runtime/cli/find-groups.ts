import type { Env } from '../../kernel/env.ts'
import { notFound } from '../../kernel/errors.ts'

/** Ids of groups by external id, such as `base.group_user`. */
export const findGroups = (env: Env, names: readonly string[]): number[] =>
  names.map((name) => {
    const id = env.access.groupIdByXmlid.get(name)
    if (id === undefined) throw notFound('record_not_found', `There is no group ${name}.`)
    return id
  })
