import type { Env } from '../env.ts'
import { accessDenied, invalid, notFound } from '../errors.ts'
import { settingKey, settingProblem } from '../model/setting.ts'
import { create } from '../orm/record/create.ts'
import { write } from '../orm/record/write.ts'
import { modelOf } from '../orm/statement/scope.ts'
import { sql } from '../sql/sql.ts'
import type { WireAppSettings } from './wire-app-settings.ts'

/** The declared settings of every installed app with their values: for all companies, or those that one company may have of its own. */
export async function readAppSettings(env: Env, company: number | null = null): Promise<WireAppSettings> {
  requireOwn(env, company)
  const { registry, tx, t, user } = env
  const { rows } = await sql<{ readonly key: string; readonly value: string | null }>`
    select key, value from sys_setting`.execute(tx)
  const texts = new Map(rows.map(({ key, value }) => [key, value ?? '']))
  const companies = await sql<{ readonly id: number; readonly name: string }>`
    select id, name from core_company where id = any(${user.allowedCompanyIds}::int[]) order by sequence, id`.execute(
    tx,
  )
  const apps = registry.settings.map(({ addon, title, settings }) => ({
    addon,
    title: t(title),
    settings: settings
      .filter(({ perCompany }) => company === null || perCompany)
      .map((setting) => ({
        name: setting.name,
        type: setting.type,
        label: t(setting.label),
        help: t(setting.help),
        unit: setting.type === 'integer' && setting.unit !== undefined ? t(setting.unit) : null,
        text: texts.get(settingKey(setting, company)) ?? '',
        default: (company !== null && texts.get(setting.name)) || String(setting.default ?? ''),
      })),
  }))
  return { company, companies: companies.rows, apps: apps.filter(({ settings }) => settings.length > 0) }
}

function requireOwn({ user }: Env, company: number | null): void {
  if (company !== null && !user.allowedCompanyIds.includes(company))
    throw accessDenied('company_access', 'You do not belong to this company.')
}

/** Stores values of settings of an app, all or none. `sys.setting` checks the rights and writes the audit trail. */
export async function saveAppSettings(
  env: Env,
  app: string,
  texts: Readonly<Record<string, string>>,
  company: number | null = null,
): Promise<void> {
  requireOwn(env, company)
  const declared = env.registry.settings.find(({ addon }) => addon === app)?.settings ?? []
  const problems: Record<string, string> = {}
  for (const [name, text] of Object.entries(texts)) {
    const setting = declared.find((each) => each.name === name)
    if (setting === undefined || (company !== null && !setting.perCompany))
      throw notFound('setting_unknown', `There is no setting ${name.slice(0, 80)}.`)
    const problem = settingProblem(env.t, setting, text)
    if (problem !== null) problems[name] = problem
  }
  if (Object.keys(problems).length > 0) throw invalid('check_failed', problems)
  const model = modelOf(env, 'sys.setting')
  const { rows } = await sql<{ readonly id: number; readonly key: string }>`
    select id, key from sys_setting`.execute(env.tx)
  const known = new Map(rows.map(({ id, key }) => [key, id]))
  for (const [name, text] of Object.entries(texts)) {
    const key = settingKey({ name }, company)
    const value = text.trim() === '' ? null : text.trim()
    const id = known.get(key)
    if (id !== undefined) await write(env, model, [id], { value })
    else if (value !== null) await create(env, model, [{ key, value }])
  }
}
