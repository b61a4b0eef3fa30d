import { t } from '../../core/i18n.ts'
import { services } from '../../services.ts'
import { allCompanies, changeLanguage, densities, LANGUAGES, languageNow, switchCompany, themes } from './choices.ts'
import type { PaletteEntry, PaletteGroup, PaletteScope } from './palette-entries.ts'

/** Companies, themes, densities and languages to switch to, each labelled with what it switches. */
export function switchGroups(): readonly PaletteGroup[] {
  const { appearance, session } = services()
  const { companies } = session.bootstrap
  const entry = (
    kind: string,
    search: string,
    icon: string,
    [key, label, isChecked]: readonly [key: string | number, label: string, isChecked: boolean],
    run: () => unknown,
  ): PaletteEntry => ({ key: `${kind} ${key}`, label, search, icon, isChecked, run })
  const company = t('Switch company')
  const isAll = companies.every(({ active }) => active)
  return [
    {
      label: t('Company'),
      entries:
        companies.length < 2
          ? []
          : [
              ...companies.map(({ id, name, active }) =>
                entry('company', company, 'building-2', [id, name, active && !isAll], () => switchCompany([id])),
              ),
              entry('company', company, 'layers', ['all', t('All companies'), isAll], () =>
                switchCompany(allCompanies()),
              ),
            ],
    },
    {
      label: t('Theme'),
      entries: themes().map(([theme, label, icon]) =>
        entry('theme', t('Switch theme'), icon, [theme, label, appearance.theme.value === theme], () => {
          appearance.theme.value = theme
        }),
      ),
    },
    {
      label: t('Density'),
      entries: densities().map(([density, label]) =>
        entry('density', t('Switch density'), 'rows-3', [density, label, appearance.density.value === density], () => {
          appearance.density.value = density
        }),
      ),
    },
    {
      label: t('Language'),
      entries: LANGUAGES.map(([tag, name]) =>
        entry('language', languageSearch(tag, name), 'languages', [tag, name, languageNow() === tag], () =>
          changeLanguage(tag),
        ),
      ),
    },
  ]
}

/** Search words of a language: also its English name, for users who cannot read its own name. */
function languageSearch(tag: string, own: string): string {
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(tag) ?? tag
  return name === own ? t('Switch language') : `${t('Switch language')}: ${name}`
}

const switchScope = (): PaletteScope => ({
  label: t('Switch'),
  icon: 'arrow-left-right',
  placeholder: t('company, theme, density, language'),
  groups: switchGroups,
})

/** The entry that leads to all of them. */
export const switchEntry = (): PaletteEntry => ({
  key: 'switch',
  label: t('Switch company, theme or language'),
  icon: 'arrow-left-right',
  scope: switchScope(),
})
