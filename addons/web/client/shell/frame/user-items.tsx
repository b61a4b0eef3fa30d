import { useState } from 'preact/hooks'
import type { WireBootstrap } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import { services } from '../../services.ts'
import type { Layer } from '../../ui/dropdown.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import {
  allCompanies,
  changeLanguage,
  densities,
  LANGUAGES,
  languageNow,
  switchCompany,
  themes,
} from '../palette/choices.ts'
import { openShortcuts } from '../palette/open-shortcuts.ts'

type Folder = 'theme' | 'density' | 'language' | 'company'

/** Menu of the user: companies, appearance, language and sign out. */
export function UserItems({ layer }: { readonly layer: Layer }) {
  const [unfolded, setUnfolded] = useState<Folder | null>(null)
  const { appearance, session } = services()
  const { worksIn, companies } = session.bootstrap

  const folder = (name: Folder, label: string, icon: string, note: string, inside: readonly MenuItem[]): MenuItem[] => [
    { label, icon, note, expanded: unfolded === name, run: () => setUnfolded(unfolded === name ? null : name) },
    ...(unfolded === name ? inside.map((item) => ({ ...item, isNested: true })) : []),
  ]
  const labelOf = <T,>(choices: readonly (readonly [T, string, ...unknown[]])[], value: T) =>
    choices.find(([each]) => each === value)?.[1] ?? ''
  const language = languageNow()

  const items: readonly MenuItem[] = [
    ...(companies.length > 1
      ? folder('company', t('Company'), 'building-2', worksIn, companyItems(session.bootstrap))
      : []),
    ...folder(
      'theme',
      t('Theme'),
      'sun-moon',
      labelOf(themes(), appearance.theme.value),
      themes().map(([theme, label]) => ({
        label,
        checked: appearance.theme.value === theme,
        run: () => {
          appearance.theme.value = theme
        },
      })),
    ),
    ...folder(
      'density',
      t('Density'),
      'rows-3',
      labelOf(densities(), appearance.density.value),
      densities().map(([density, label]) => ({
        label,
        checked: appearance.density.value === density,
        run: () => {
          appearance.density.value = density
        },
      })),
    ),
    ...folder(
      'language',
      t('Language'),
      'languages',
      labelOf(LANGUAGES, language),
      LANGUAGES.map(([tag, name]) => ({ label: name, checked: language === tag, run: () => void changeLanguage(tag) })),
    ),
    { label: t('Keyboard shortcuts'), icon: 'keyboard', keys: '?', isSeparated: true, run: openShortcuts },
    { label: t('Account and sessions'), icon: 'user', href: '/web/settings/account' },
    { label: t('Sign out'), icon: 'log-out', href: '/web/logout', isSeparated: true },
  ]
  return <Menu items={items} label={t('Account')} {...layer} />
}

/** One item per company, and one for all companies with the current one first. */
function companyItems({ company, companies }: WireBootstrap): readonly MenuItem[] {
  return [
    ...companies.map(({ id, name, active }) => ({
      label: name,
      checked: active,
      ...(id === company.id && { note: t('current') }),
      run: () => void switchCompany([id]),
    })),
    {
      label: t('All companies'),
      checked: companies.every(({ active }) => active),
      run: () => void switchCompany(allCompanies()),
    },
  ]
}
