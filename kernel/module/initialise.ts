import { findXmlids, saveXmlids } from '../data/xmlid.ts'
import { isTimeZone } from '../domain/zone.ts'
import type { Env } from '../env.ts'
import { conflict, invalid } from '../errors.ts'
import { isLanguage } from '../i18n/language.ts'
import type { Registry } from '../model/registry.ts'
import { create } from '../orm/record/create.ts'
import { searchIds } from '../orm/record/search.ts'
import { write } from '../orm/record/write.ts'
import { modelOf } from '../orm/statement/scope.ts'
import { readParam, writeParam } from '../param.ts'
import type { Services } from '../services.ts'
import type { Db } from '../sql/database.ts'
import { changeModules, compileAddons, type ModuleChange, withSystemEnv } from './change.ts'
import { loadDemo } from './demo.ts'
import { type ExampleUser, linkExampleUsers } from './example-users.ts'
import { type Catalogue, dependencyOrder, findAddon } from './graph.ts'
import { type InstallOptions, install } from './install.ts'
import { presentModules, readModules } from './module-row.ts'

export interface InitialiseOptions extends Pick<InstallOptions, 'onProgress'> {
  readonly company: string
  /** Full name of the administrator. */
  readonly name?: string | undefined
  readonly login: string
  readonly password: string
  /** BCP 47, like `en`. */
  readonly language: string
  readonly timezone: string
  /** ISO 4217, like `EUR`. */
  readonly currency: string
  readonly modules: readonly string[]
  readonly demo: boolean
}

export interface InitialiseResult {
  readonly userId: number
  readonly modules: readonly string[]
  /** Users of the demo data to try the service as. */
  readonly examples: readonly ExampleUser[]
}

const INITIALISED = 'initialised'

export const isInitialised = (db: Db): Promise<boolean> => readParam(db, INITIALISED, false)

/** The first set-up: company, administrator and modules in one transaction. It can run only once. */
export function initialise(
  services: Services,
  catalogue: Catalogue,
  options: InitialiseOptions,
): Promise<InitialiseResult> {
  return changeModules(services, catalogue, async (change) => {
    if (await isInitialised(change.tx)) throw conflict('database_state', 'This database has been set up already.')
    requireKnown(catalogue, options)
    await install(change, ['base'], {})
    const present = await refresh(change)
    const registry = registryOf(present)
    const userId = await withSystemEnv(present, registry, (env) => setUp(env, options))
    if (options.demo) {
      for (const name of presentModules(present.modules)) await loadDemo(present, registry, findAddon(catalogue, name))
    }
    const { demo, onProgress } = options
    const { modules } = await install(present, options.modules, { demo, ...(onProgress && { onProgress }) })
    await writeParam(change.tx, INITIALISED, true)
    const examples = demo ? await withSystemEnv(present, registry, linkExampleUsers) : []
    return { userId, modules, examples }
  })
}

/** Checks all options that need no database and reports every problem by the name of its option. */
function requireKnown(catalogue: Catalogue, { modules, language, timezone }: InitialiseOptions): void {
  const unknown = modules.filter((name) => !catalogue.has(name))
  const problems = {
    ...(unknown.length > 0 && { modules: `There is no module ${unknown.join(', ')}.` }),
    ...(!isLanguage(language) && { language: `Must be like en or pt-BR, not ${language}.` }),
    ...(!isTimeZone(timezone) && { timezone: `Must be a time zone like Europe/Berlin, not ${timezone}.` }),
  }
  if (Object.keys(problems).length > 0) throw invalid('value_invalid', problems)
}

const refresh = async (change: ModuleChange): Promise<ModuleChange> => ({
  ...change,
  modules: await readModules(change.tx),
})

const registryOf = ({ catalogue, modules }: ModuleChange): Registry =>
  compileAddons(dependencyOrder(catalogue, presentModules(modules)))

async function setUp(env: Env, options: InitialiseOptions): Promise<number> {
  const { company, currency, login, password, language, timezone } = options
  const known = await findXmlids(env.tx, ['base.main_company', 'base.group_system'])
  const companyId = known.get('base.main_company')!.res_id
  const [currencyId] = await searchIds(env, modelOf(env, 'core.currency'), {
    domain: [['name', '=', currency.toUpperCase()]],
    archived: 'include',
  })
  if (currencyId === undefined) throw invalid('value_invalid', { currency: `There is no currency ${currency}.` })
  await write(env, modelOf(env, 'core.currency'), [currencyId], { active: true })
  await write(env, modelOf(env, 'core.company'), [companyId], { name: company, currency_id: currencyId })
  const [userId = 0] = await create(env, modelOf(env, 'core.user'), [
    {
      name: options.name || 'Administrator',
      login,
      password,
      email: login.includes('@') ? login : null,
      lang: language,
      tz: timezone,
      company_id: companyId,
      company_ids: [companyId],
      group_ids: [known.get('base.group_system')!.res_id],
    },
  ])
  await saveXmlids(env.tx, [{ xmlid: 'base.user_admin', model: 'core.user', res_id: userId, noupdate: true }])
  return userId
}
