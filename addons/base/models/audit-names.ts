import type { Env } from '#kernel'

/** Current names of the records that lines of the trail mention, in the language of the reader. */
export interface NamesNow {
  /** By the English name, which the trail keeps. */
  readonly groups: ReadonlyMap<string, string>
  readonly companies: ReadonlyMap<number, string>
}

const readAll = (env: Env) => env.sudo('the audit trail names groups and companies', { beyondScope: true })

/** Reads the names; one that no longer exists stays as the trail has it. */
export async function readNames(env: Env): Promise<NamesNow> {
  const all = readAll(env)
  const namesIn = async (reader: Env) =>
    new Map(
      (await reader.model('core.group').searchRead([], ['display_name'])).map((row) => [row.id, row.display_name]),
    )
  const [kept, own] = [await namesIn(all.inLanguage('en')), await namesIn(all)]
  const companies = await all.model('core.company').searchRead([], ['name'])
  return {
    groups: new Map([...kept].map(([id, name]) => [name, own.get(id) ?? name])),
    companies: new Map(companies.map(({ id, name }) => [id, name])),
  }
}
