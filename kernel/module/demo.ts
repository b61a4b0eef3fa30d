import { readFiles } from '../data/read.ts'
import { findXmlids, splitXmlid } from '../data/xmlid.ts'
import type { Registry } from '../model/registry.ts'
import type { Db } from '../sql/database.ts'
import type { Addon } from './addon.ts'
import { type ModuleChange, withSystemEnv } from './change.ts'
import { loadData } from './load-data.ts'

/** Example records of an installed addon. */
export const loadDemo = (change: ModuleChange, registry: Registry, addon: Addon) =>
  withSystemEnv(change, registry, (env) => loadData(env, addon.name, addon.demo, { demo: true }))

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

/** Demo files may also change records of other addons; those do not show whether the addon's own were loaded. */
const ownExamples = ({ name, demo }: Addon): readonly string[] =>
  readFiles(name, demo).records.flatMap(({ xmlid }) => (splitXmlid(xmlid).module === name ? [xmlid] : []))
