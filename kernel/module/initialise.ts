import { findXmlids, saveXmlids } from '../data/xmlid.ts'
import { isTimeZone } from '../domain/zone.ts'
import type { Env } from '../env.ts'
import { AppError, conflict, invalid, problemsOf } from '../errors.ts'
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
  /** Mail address of the administrator; without it the login, if that is one. */
  readonly email?: string | undefined
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
    const problems = problemsWith(catalogue, options)
    await install(change, ['base'], {})
    const present = await refresh(change)
    const registry = registryOf(present)
    const userId = await withSystemEnv(present, registry, (env) => setUp(env, options, problems))
    if (options.demo) {
      for (const name of presentModules(present.modules)) await loadDemo(present, registry, findAddon(catalogue, name))
    }
    const { demo, onProgress } = options
    const { modules } = await install(present, options.modules, { demo, ...(onProgress && { onProgress }) })
    await writeParam(change.tx, INITIALISED, true)
    if (demo) await withSystemEnv(present, registry, (env) => joinAllCompanies(env, userId))
    const examples = demo
      ? await withSystemEnv(present, registry, (env) => linkExampleUsers(env.inLanguage(options.language)))
      : []
    return { userId, modules, examples }
  })
}

type Problems = Readonly<Record<string, string>>

/** Problems of the options that can be found without the database, by the name of the option. */
function problemsWith(catalogue: Catalogue, options: InitialiseOptions): Problems {
  const { modules, company, login, language, timezone } = options
  const unknown = modules.filter((name) => !catalogue.has(name))
  return {
    ...(company.trim() === '' && { company: 'Must be given.' }),
    ...(login.trim() === '' && { login: 'Must be given.' }),
    ...(unknown.length > 0 && { modules: `There is no module ${unknown.join(', ')}.` }),
    ...(!isLanguage(language) && { language: `Must be like en or pt-BR, not ${language}.` }),
    ...(!isTimeZone(timezone) && { timezone: `Must be a time zone like Europe/Berlin, not ${timezone}.` }),
  }
}

const refresh = async (change: ModuleChange): Promise<ModuleChange> => ({
  ...change,
  modules: await readModules(change.tx),
})

const registryOf = ({ catalogue, modules }: ModuleChange): Registry =>
  compileAddons(dependencyOrder(catalogue, presentModules(modules)))

/** Creates company and administrator. Wrong options are reported all at once: those known before, the currency and the account. */
async function setUp(env: Env, options: InitialiseOptions, problems: Problems): Promise<number> {
  const { company, currency } = options
  const known = await findXmlids(env.tx, ['base.main_company', 'base.group_system'])
  const companyId = known.get('base.main_company')!.res_id
  const [currencyId] = await searchIds(env, modelOf(env, 'core.currency'), {
    domain: [['name', '=', currency.toUpperCase()]],
  })
  const account = { companyId, groupId: known.get('base.group_system')!.res_id }
  const created = await createAdministrator(env, options, problems, account)
  const all = {
    ...(currencyId === undefined && { currency: `There is no currency ${currency}.` }),
    ...created.problems,
    ...problems,
  }
  if (currencyId === undefined || Object.keys(all).length > 0) throw invalid('value_invalid', all)
  await write(env, modelOf(env, 'core.company'), [companyId], { name: company, currency_id: currencyId })
  await putFewCurrenciesInUse(env, currencyId)
  const { userId } = created
  await saveXmlids(env.tx, [{ xmlid: 'base.user_admin', model: 'core.user', res_id: userId, noupdate: true }])
  return userId
}

/** Every currency is known, few are offered in pickers: an administrator switches on what else is needed. Data files leave `active` alone. */
async function putFewCurrenciesInUse(env: Env, companyCurrency: number): Promise<void> {
  const model = modelOf(env, 'core.currency')
  const rest = await searchIds(env, model, {
    domain: [
      ['id', '!=', companyCurrency],
      ['name', 'not in', ['EUR', 'USD']],
    ],
  })
  await write(env, model, rest, { active: false })
}

/** Adds the administrator to the companies of the demo, to be able to manage its users. */
async function joinAllCompanies(env: Env, userId: number): Promise<void> {
  const ids = await searchIds(env, modelOf(env, 'core.company'), { domain: [] })
  await write(env, modelOf(env, 'core.user'), [userId], { company_ids: ids.map((id) => [4, id]) })
}

/** Creates the account. Defaults replace options that are known to be wrong, so that further mistakes are found too. */
async function createAdministrator(
  env: Env,
  { name, login, email, password, language, timezone }: InitialiseOptions,
  wrong: Problems,
  { companyId, groupId }: { readonly companyId: number; readonly groupId: number },
): Promise<{ readonly userId: number; readonly problems: Problems }> {
  const values = {
    name: name || 'Administrator',
    login: 'login' in wrong ? 'admin' : login,
    password,
    email: email ?? (login.includes('@') ? login : null),
    lang: 'language' in wrong ? 'en' : language,
    tz: 'timezone' in wrong ? 'UTC' : timezone,
    company_id: companyId,
    company_ids: [companyId],
    group_ids: [groupId],
  }
  try {
    const [userId = 0] = await create(env, modelOf(env, 'core.user'), [values])
    return { userId, problems: {} }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION') throw error
    return { userId: 0, problems: problemsOf(error) }
  }
}
