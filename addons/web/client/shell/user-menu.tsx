import { useRef, useState } from 'preact/hooks'
import { t } from '../core/i18n.ts'
import type { Density, Theme } from '../core/theme.ts'
import { services } from '../services.ts'
import { writeRecords } from '../store/queries.ts'
import { hueOf, initialsOf } from '../ui/avatar.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { showError } from '../ui/toasts.tsx'
import { switchCompany } from './company.ts'
import { openShortcuts } from './open-shortcuts.ts'

type Folder = 'theme' | 'density' | 'language' | 'company'

/** Names of the languages in themselves. */
const LANGUAGES: readonly (readonly [tag: string, name: string])[] = [
  ['en', 'English'],
  ['de', 'Deutsch'],
]

/** Company and person: the companies to work in, how the client looks and speaks, and the way out. */
export function UserMenu() {
  const [isOpen, setOpen] = useState(false)
  const [unfolded, setUnfolded] = useState<Folder | null>(null)
  const anchor = useRef<HTMLButtonElement>(null)
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
      ? folder(
          'company',
          t('Company'),
          'building-2',
          company.name,
          companies.map(({ id, name }) => ({
            label: name,
            checked: id === company.id,
            run: () => void switchCompany(id),
          })),
        )
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
      LANGUAGES.map(([tag, name]) => ({ label: name, checked: language === tag, run: () => void speak(tag) })),
    ),
    { label: t('Keyboard shortcuts'), icon: 'keyboard', keys: '?', isSeparated: true, run: openShortcuts },
    { label: t('Account and sessions'), icon: 'user', href: '/web/account' },
    { label: t('Log out'), icon: 'log-out', href: '/web/logout', isSeparated: true },
  ]
  return (
    <>
      <button
        type="button"
        class="nav-i"
        ref={anchor}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="av m sq" data-hue={hueOf(company.id)} aria-hidden="true">
          {initialsOf(company.name).slice(0, 1)}
        </span>
        <span class="lb">
          <span class="med company">{company.name}</span>
          <br />
          <span class="fs12 t3">{user.name}</span>
        </span>
        <span class="vh">{t('account menu')}</span>
        <Icon name="chevrons-up-down" size="s" />
      </button>
      {isOpen && (
        <Menu
          items={items}
          label={t('Account')}
          anchor={anchor}
          onClose={() => {
            setOpen(false)
            setUnfolded(null)
          }}
        />
      )}
    </>
  )
}

/** The server speaks the language too, so the page starts again. */
async function speak(lang: string): Promise<void> {
  const { rpc, session } = services()
  try {
    await writeRecords(rpc, 'core.user', [session.bootstrap.user.id], { lang })
    location.reload()
  } catch (error) {
    showError(error)
  }
}
