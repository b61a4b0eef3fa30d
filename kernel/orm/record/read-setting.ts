import type { Env } from '../../env.ts'
import { type SettingDef, type SettingValue, settingKey, settingValue } from '../../model/setting.ts'
import { sql } from '../../sql/sql.ts'

/**
 * The value of a setting, for the code of the addon that declares it; the user needs no right to see settings. Of a setting per
 * company, the value of the user's current company, otherwise the one for all companies.
 */
export async function readSetting<S extends SettingDef>(env: Env, setting: S): Promise<SettingValue<S>> {
  const [company] = setting.perCompany ? env.user.companyIds : []
  const keys = [...(company === undefined ? [] : [settingKey(setting, company)]), setting.name]
  const { rows } = await sql<{ readonly key: string; readonly value: string | null }>`
    select key, value from sys_setting where key = any(${keys})`.execute(env.tx)
  const texts = new Map(rows.map(({ key, value }) => [key, value?.trim() ?? '']))
  return settingValue(setting, keys.map((key) => texts.get(key)).find((text) => text) ?? null)
}
