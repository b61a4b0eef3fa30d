import { interpolate, type Translate } from '../i18n/translate.ts'

interface SettingWords {
  /** `<addon>.<setting>`, the key under which `sys.setting` keeps its value. */
  readonly name: string
  readonly label: string
  /** A sentence about what it changes. */
  readonly help: string
  /** Whether each company may have a value of its own. */
  readonly perCompany?: true
}

export interface IntegerSetting extends SettingWords {
  readonly type: 'integer'
  readonly min: number
  readonly max: number
  /** What the number counts, written behind it. */
  readonly unit?: string
  /** The value while it is not set. */
  readonly default: number | null
}

export interface TextSetting extends SettingWords {
  readonly type: 'text'
  readonly maxChars: number
  readonly default: string | null
}

/** A choice that an addon leaves to its administrators. */
export type SettingDef = IntegerSetting | TextSetting

/** The key under which `sys.setting` keeps the value of a company, or the one of all companies. */
export const settingKey = ({ name }: Pick<SettingDef, 'name'>, company: number | null): string =>
  company === null ? name : `${name}.${company}`

/** The name of the setting that a key belongs to. */
export const settingOfKey = (key: string): string => key.replace(/\.\d+$/, '')

export type SettingValue<S extends SettingDef> = S extends IntegerSetting ? number | null : string | null

/** The settings of an installed addon, under its title. */
export interface AppSettings {
  readonly addon: string
  readonly title: string
  readonly settings: readonly SettingDef[]
}

/** Why a text is no valid value of a setting; null if it is one. An empty text means the default. */
export function settingProblem(t: Translate, setting: SettingDef, text: string): string | null {
  if (text.trim() === '') return null
  if (setting.type === 'text')
    return text.length > setting.maxChars ? t('Must be at most {count} characters.', { count: setting.maxChars }) : null
  if (!/^-?\d{1,15}$/.test(text.trim())) return t('Must be a whole number.')
  const { min, max } = setting
  return Number(text) >= min && Number(text) <= max
    ? null
    : t('Must lie between {least} and {most}.', { least: min, most: max })
}

/** The value of a stored text; the default if there is none or it is no longer valid. */
export function settingValue<S extends SettingDef>(setting: S, text: string | null): SettingValue<S> {
  const given = text?.trim() ?? ''
  const isUsable = given !== '' && settingProblem((sentence) => sentence, setting, given) === null
  const value = !isUsable ? setting.default : setting.type === 'integer' ? Number(given) : given
  return value as SettingValue<S>
}

/** What is wrong with the declaration of a setting. */
function declarationProblem(setting: SettingDef): string | null {
  if (setting.default === null) return null
  const problem = settingProblem(interpolate, setting, String(setting.default))
  return problem && `setting ${setting.name}: the default ${setting.default} does not fit. ${problem}`
}

/** One sentence for each setting whose name does not begin with that of its addon or is used twice, or whose default is no valid value. */
export const settingProblems = (apps: readonly AppSettings[]): readonly string[] =>
  apps.flatMap(({ addon, settings }) =>
    settings.flatMap((setting, index) => {
      const { name } = setting
      const unfit = declarationProblem(setting)
      return [
        ...(/^[a-z][a-z0-9_]*$/.test(name.slice(addon.length + 1)) && name.startsWith(`${addon}.`)
          ? []
          : [`setting ${name}: the name must begin with ${addon}. and go on in lower case`]),
        ...(settings.findIndex((other) => other.name === name) < index ? [`setting ${name} is declared twice`] : []),
        ...(unfit === null ? [] : [unfit]),
      ]
    }),
  )
