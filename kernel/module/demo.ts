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

/** The addons that have examples of which the database has none, so that those of an addon above them would miss them. */
export async function lackingDemo(db: Db, addons: readonly Addon[]): Promise<readonly Addon[]> {
  if (addons.length === 0) return []
  const examples = new Map(addons.map((addon) => [addon, ownExamples(addon)]))
  const known = await findXmlids(db, [...examples.values()].flat())
  return addons.filter((addon) => {
    const own = examples.get(addon)!
    return own.length > 0 && !own.some((xmlid) => known.has(xmlid))
  })
}

/** Examples may also touch records of others; those say nothing about whether these were loaded. */
const ownExamples = ({ name, demo }: Addon): readonly string[] =>
  readFiles(name, demo).records.flatMap(({ xmlid }) => (splitXmlid(xmlid).module === name ? [xmlid] : []))
