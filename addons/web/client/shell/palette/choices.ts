import { t } from '../../core/i18n.ts'
import type { Density, Theme } from '../../core/theme.ts'
import { services } from '../../services.ts'
import { writeRecords } from '../../store/queries.ts'
import { showError } from '../../ui/toasts.tsx'

export { switchCompany } from './company.ts'

/** Each language with its own name. */
export const LANGUAGES: readonly (readonly [tag: string, name: string])[] = [
  ['en', 'English'],
  ['de', 'Deutsch'],
]

export const themes = (): readonly (readonly [theme: Theme, label: string, icon: string])[] => [
  ['light', t('Light'), 'sun'],
  ['dark', t('Dark'), 'moon'],
  ['system', t('Like the system'), 'monitor'],
]

export const densities = (): readonly (readonly [density: Density, label: string])[] => [
  ['compact', t('Compact')],
  ['normal', t('Normal')],
  ['comfortable', t('Comfortable')],
]

export function languageNow(): string {
  const [language] = services().session.bootstrap.user.lang.split('-')
  return LANGUAGES.find(([tag]) => tag === language)?.[0] ?? 'en'
}

/** All companies of the user, the current one first. */
export function allCompanies(): readonly number[] {
  const { company, companies } = services().session.bootstrap
  return [company.id, ...companies.map(({ id }) => id).filter((id) => id !== company.id)]
}

/** Changes the language and reloads the page, because the server renders texts in it too. */
export async function changeLanguage(lang: string): Promise<void> {
  const { rpc, session, router } = services()
  if (!(await router.guards.mayLeave())) return
  try {
    await writeRecords(rpc, 'core.user', [session.bootstrap.user.id], { lang })
    location.reload()
  } catch (error) {
    showError(error)
  }
}
