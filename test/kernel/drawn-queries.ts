import type { Env } from '../../kernel/env.ts'
import type { SearchQuery } from '../../kernel/orm/record/search.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { openPeople, type People } from '../support/people.ts'
import { pick, type Random, sample } from '../support/seeded-random.ts'

/** People with different rights, and records that are hidden from some, archived, or full of text that is hard to encode. */
export async function openReaders(): Promise<People> {
  const people = await openPeople(['base', 'library'])
  await people.hire('lib', ['library.group_librarian'])
  await people.hire('reader', ['library.group_user'], { lang: 'de' })
  await people.asSystem(async (env) => {
    const [author] = await env.model('library.author').search([])
    const keepers = await env.model('core.user').search([['login', 'in', ['lib', 'reader']]])
    const shelves = await env
      .model('library.shelf')
      .createMany([
        { name: 'Open "shelf" \\ with lines, 漢字 😀' },
        ...keepers.map((keeper_id) => ({ name: `Of ${keeper_id}`, keeper_id })),
      ])
    const hidden = shelves.map((shelf_id, index) => ({
      ...{
        title: `Edge ${index} <b>&amp;</b> \u2028`,
        author_id: author!,
        currency_id: 1,
        shelf_id,
        active: index > 0,
      },
      ...{ price: 9_999_999_999.99, purchase_price: 0.01, weight: 1e-3, published_on: '9999-12-31' },
      metadata: { '2': 1, b: [1e300], a: null },
    }))
    await env.model('library.book').createMany(hidden)
  })
  return people
}

export const LOGINS = ['admin', 'ann', 'lib', 'reader']
export const MODELS = ['library.book', 'library.author', 'library.shelf', 'library.loan', 'core.partner', 'core.user']
const DOMAINS: readonly unknown[] = [
  [],
  [['id', '>', 1]],
  ['|', ['id', 'in', [1, 2, 3]], ['create_date', '<=', 'today']],
  ['!', ['display_name', 'ilike', 'e']],
]

/** Fields of any kind, some of which the user may not read. */
export const namesIn = (random: Random, env: Env, model: string) =>
  random() < 0.1 ? undefined : sample(random, [...modelOf(env, model).fields.keys()], 8)

export function drawQuery(random: Random, env: Env, model: string): SearchQuery {
  const { fields } = modelOf(env, model)
  const sortable = [...fields.values()].filter(({ type, column }) => type.sortable && column !== null)
  const terms = sample(random, sortable, 2).map(({ name }) => `${name}${pick(random, ['', ' desc'])}`)
  return {
    domain: pick(random, DOMAINS),
    fields: namesIn(random, env, model),
    order: random() < 0.3 ? '' : terms.join(', '),
    archived: pick(random, ['exclude', 'include', 'only'] as const),
    limit: pick(random, [1, 3, 80]),
    offset: pick(random, [0, 0, 2]),
  }
}

/** Everything about an answer, errors too. */
export const told = (answer: Promise<unknown>): Promise<string> =>
  answer.then(JSON.stringify, (error: Error) => `${error.name}: ${error.message}`)
