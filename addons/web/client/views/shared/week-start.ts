import { currentLocale } from '../../core/format.ts'

/** The first day of the week, Monday = 1 … Sunday = 7: that of the user's region, Monday if the language names none. */
export function weekStart(): number {
  const locale = new Intl.Locale(currentLocale().tag) as Intl.Locale & {
    /** Not in every browser yet. */
    getWeekInfo?(): { readonly firstDay: number }
  }
  return locale.region === undefined ? 1 : (locale.getWeekInfo?.().firstDay ?? 1)
}
