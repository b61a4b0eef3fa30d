import type { Env } from '../../kernel/env.ts'
import { notFound } from '../../kernel/errors.ts'
import { searchIds } from '../../kernel/orm/record/search.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'

/** Id of the user with this login, archived or not. */
export async function findUser(env: Env, login: string): Promise<number> {
  const [id] = await searchIds(env, modelOf(env, 'core.user'), { domain: [['login', '=', login]], archived: 'include' })
  if (id === undefined) throw notFound('record_not_found', `There is no user ${login}.`)
  return id
}
