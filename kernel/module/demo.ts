import { readFiles } from '../data/read.ts'
import { findXmlids, splitXmlid } from '../data/xmlid.ts'
import type { Env } from '../env.ts'
import type { Registry } from '../model/registry.ts'
import { searchIds } from '../orm/record/search.ts'
import { write } from '../orm/record/write.ts'
import { modelOf } from '../orm/statement/scope.ts'
import type { Db } from '../sql/database.ts'
import type { Addon } from './addon.ts'
import { type ModuleChange, withSystemEnv } from './change.ts'
import { loadData } from './load-data.ts'

/** Example records of an installed addon. */
export const loadDemo = (change: ModuleChange, registry: Registry, addon: Addon): Promise<void> =>
  withSystemEnv(change, registry, async (env) => {
    await loadData(env, addon.name, addon.demo, { demo: true })
    if (addon.name === 'base') await openCompanies(env)
  })

/** Adds the example companies to the administrator of the set-up, whose account a demo file must not change. */
async function openCompanies(env: Env): Promise<void> {
  const admin = (await findXmlids(env.tx, ['base.user_admin'])).get('base.user_admin')
  if (admin === undefined) return
  const company_ids = await searchIds(env, modelOf(env, 'core.company'), { domain: [] })
  await write(env, modelOf(env, 'core.user'), [admin.res_id], { company_ids })
}

/**
 * The addons whose demo records are not in the database; demo records of addons that depend on them would refer to missing
 * records.
 */
export async function lackingDemo(db: Db, addons: readonly Addon[]): Promise<readonly Addon[]> {
  if (addons.length === 0) return []
  const examples = new Map(addons.map((addon) => [addon, ownExamples(addon)]))
  const known = await findXmlids(db, [...examples.values()].flat())
  return addons.filter((addon) => {
    const own = examples.get(addon)!
    return own.length > 0 && !own.some((xmlid) => known.has(xmlid))
  })
}

/** Demo files may also change records of other addons; those do not tell whether this addon's demo was loaded. */
const ownExamples = ({ name, demo }: Addon): readonly string[] =>
  readFiles(name, demo).records.flatMap(({ xmlid }) => (splitXmlid(xmlid).module === name ? [xmlid] : []))
