import type { Env } from '../env.ts'
import { translateWords } from '../i18n/translate.ts'
import { titleOf } from '../module/addon.ts'
import { type Catalogue, dependencyOrder } from '../module/graph.ts'
import { sql } from '../sql/sql.ts'
import type { WireModule } from '../view/wire.ts'

interface Row {
  readonly name: string
  readonly version: string
  readonly summary: string | null
  readonly application: boolean
  readonly depends: string | null
  readonly state: WireModule['state']
}

/**
 * The registry has no translations of modules that are not installed, so their own are used, then those of their
 * dependencies.
 */
const addonTranslator =
  (catalogue: Catalogue, name: string, lang: string) =>
  (text: string): string =>
    dependencyOrder(catalogue, [name])
      .toReversed()
      .map(({ translations }) => translateWords(translations, lang, text))
      .find((translated) => translated !== text) ?? text

/**
 * All modules with their state, applications first; for administrators. What can be installed is what this program has: others on
 * the same database may have other addons.
 */
export async function moduleCatalogue(env: Env): Promise<readonly WireModule[]> {
  const { catalogue } = env.services
  const { rows } = await sql<Row>`
    select name, version, summary, application, depends, state from sys_module`.execute(env.tx)
  const modules = rows
    .filter(({ name, state }) => state !== 'uninstalled' || catalogue?.has(name) !== false)
    .map((row) => ({ ...row, depends: row.depends?.split(',') ?? [] }))
  const present = modules.filter(({ state }) => state !== 'uninstalled')
  return modules
    .map(({ name, version, summary, application, depends, state }): WireModule => {
      const addon = catalogue?.get(name)
      const translate =
        addon === undefined || catalogue === undefined ? env.t : addonTranslator(catalogue, name, env.lang)
      return {
        name,
        title: translate(addon?.title ?? titleOf(name)),
        summary: translate(summary ?? ''),
        application,
        state,
        version: addon?.version ?? version,
        installedVersion: state === 'uninstalled' ? null : version,
        depends,
        neededBy: present.filter((other) => other.depends.includes(name)).map((other) => other.name),
      }
    })
    .sort((a, b) => Number(b.application) - Number(a.application) || a.title.localeCompare(b.title))
}
