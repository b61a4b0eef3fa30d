import type { Env } from '../../env.ts'
import { type SettingDef, type SettingValue, settingValue } from '../../model/setting.ts'
import { sql } from '../../sql/sql.ts'

/** The value of a setting, for the code of the addon that declares it: whoever runs it need not be allowed to see settings. */
export async function readSetting<S extends SettingDef>(env: Env, setting: S): Promise<SettingValue<S>> {
  const { rows } = await sql<{ readonly value: string | null }>`
    select value from sys_setting where key = ${setting.name}`.execute(env.tx)
  return settingValue(setting, rows[0]?.value ?? null)
}
