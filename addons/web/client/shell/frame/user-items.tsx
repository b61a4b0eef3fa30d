import { useState } from 'preact/hooks'
import type { WireBootstrap } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import type { Density, Theme } from '../../core/theme.ts'
import { services } from '../../services.ts'
import { writeRecords } from '../../store/queries.ts'
import type { Layer } from '../../ui/dropdown.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { showError } from '../../ui/toasts.tsx'
import { openShortcuts } from '../palette/open-shortcuts.ts'
import { switchCompany } from './company.ts'

type Folder = 'theme' | 'density' | 'language' | 'company'

/** Each language with its own name. */
const LANGUAGES: readonly (readonly [tag: string, name: string])[] = [
  ['en', 'English'],
  ['de', 'Deutsch'],
]

/** Menu of the user: companies, appearance, language and sign out. */
export function UserItems({ layer }: { readonly layer: Layer }) {
  const [unfolded, setUnfolded] = useState<Folder | null>(null)
  const { appearance, session } = services()
  const { user, company, companies } = session.bootstrap

  const folder = (name: Folder, label: string, icon: string, note: string, inside: readonly MenuItem[]): MenuItem[] => [
    { label, icon, note, expanded: unfolded === name, run: () => setUnfolded(unfolded === name ? null : name) },
    ...(unfolded === name ? inside.map((item) => ({ ...item, isNested: true })) : []),
  ]
  const themes: readonly (readonly [Theme, string])[] = [
    ['light', t('Light')],
    ['dark', t('Dark')],
    ['system', t('Like the system')],
  ]
  const densities: readonly (readonly [Density, string])[] = [
    ['compact', t('Compact')],
    ['normal', t('Normal')],
    ['comfortable', t('Comfortable')],
  ]
  const labelOf = <T,>(choices: readonly (readonly [T, string])[], value: T) =>
    choices.find(([each]) => each === value)?.[1] ?? ''
  const language = LANGUAGES.find(([tag]) => user.lang.split('-')[0] === tag)?.[0] ?? 'en'

  const items: readonly MenuItem[] = [
    ...(companies.length > 1
      ? folder('company', t('Company'), 'building-2', company.name, companyItems(session.bootstrap))
      : []),
    ...folder(
      'theme',
      t('Theme'),
      'sun-moon',
      labelOf(themes, appearance.theme.value),
      themes.map(([theme, label]) => ({
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
      labelOf(densities, appearance.density.value),
      densities.map(([density, label]) => ({
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
    { label: t('Account and sessions'), icon: 'user', href: '/web/account' },
    { label: t('Log out'), icon: 'log-out', href: '/web/logout', isSeparated: true },
  ]
  return <Menu items={items} label={t('Account')} {...layer} />
}

/** One item per company, and one for all companies with the current one first. */
function companyItems({ company, companies }: WireBootstrap): readonly MenuItem[] {
  const others = companies.filter(({ id }) => id !== company.id)
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
      run: () => void switchCompany([company.id, ...others.map(({ id }) => id)]),
    },
  ]
}

/** Changes the language and reloads the page, because the server renders texts in it too. */
async function changeLanguage(lang: string): Promise<void> {
  const { rpc, session } = services()
  try {
    await writeRecords(rpc, 'core.user', [session.bootstrap.user.id], { lang })
    location.reload()
  } catch (error) {
    showError(error)
  }
}
