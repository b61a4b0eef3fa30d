import { afterAll, beforeAll } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { create } from '../../kernel/orm/record/create.ts'
import { unlink } from '../../kernel/orm/record/unlink.ts'
import { write } from '../../kernel/orm/record/write.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { openPeople, type People } from '../support/people.ts'

export let people: People
/** The author of the books that `newBook` makes. */
export let author: number

/** Opens the library with a librarian and a reader for the tests of a file. */
export function useLibraryStaff(): void {
  beforeAll(async () => {
    people = await openPeople(['base', 'library'])
    await people.hire('lib', ['library.group_librarian'])
    await people.hire('reader', ['library.group_user'])
    author = await people.asSystem(
      async (env) => (await env.model('library.author').search([['name', 'like', 'Lem']]))[0]!,
    )
  })
  afterAll(() => people.leave())
}

export const make = (env: Env, model: string, ...records: Record<string, unknown>[]) =>
  create(env, modelOf(env, model), records)
export const change = (
  env: Env,
  model: string,
  ids: number[],
  values: Record<string, unknown>,
  base?: Map<number, number>,
) => write(env, modelOf(env, model), ids, values, { baseVersion: base })
export const drop = (env: Env, model: string, ids: number[]) => unlink(env, modelOf(env, model), ids)
export const asLib = <T>(work: (env: Env) => Promise<T>) => people.as('lib', work)

let serial = 0
/** A book as code of the server makes it, with any field. */
export const newBook = async (env: Env, values: Record<string, unknown> = {}) => {
  const book = { title: `Book ${++serial}`, author_id: author, currency_id: 1, ...values }
  return (await create(env, modelOf(env, 'library.book'), [book], { setsReadonly: true }))[0]!
}
