import { useEffect } from 'preact/hooks'
import { hotkeys } from '../../core/hotkeys.ts'
import { t } from '../../core/i18n.ts'
import { formatRoute, type Route } from '../../router/codec.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton, type MenuItem } from '../../ui/menu.tsx'
import { changeFragment } from '../shared/fragment.ts'
import { LiveDot } from '../shared/live-dot.tsx'
import { type Dashboard, type DashboardRecord, dashboardRoute, mayArrange } from './model/dashboard.ts'
import { type Filters, offeredCompanies } from './model/filters.ts'
import { nameOfPeriod, PERIOD_UNITS, type PeriodUnit, stepPeriod } from './model/period.ts'
import { More } from './more.tsx'

export interface BarProps {
  readonly dashboard: Dashboard
  readonly record: DashboardRecord
  readonly route: Route
  readonly filters: Filters
}

/** The bar to choose dashboard, period and company. */
export function FilterBar({ dashboard, record, route, filters }: BarProps) {
  return (
    <div class="ctlbar dt-bar" role="toolbar" aria-label={t('Dashboard')}>
      <Switcher dashboard={dashboard} record={record} route={route} />
      <PeriodSwitch record={record} route={route} filters={filters} />
      <CompanyMenu route={route} filters={filters} />
      <div class="end">
        <LiveDot class="wide" />
        {mayArrange(record) && <EditButton dashboard={dashboard} />}
        <More dashboard={dashboard} record={record} />
      </div>
    </div>
  )
}

function EditButton({ dashboard }: Pick<BarProps, 'dashboard'>) {
  useEffect(
    () => hotkeys.add({ keys: 'e', label: t('Edit dashboard'), group: t('Dashboard'), run: dashboard.edit }),
    [dashboard],
  )
  return <Button label={t('Edit')} icon="pencil" keys="e" onClick={dashboard.edit} />
}

function Switcher({ dashboard, record, route }: Pick<BarProps, 'dashboard' | 'record' | 'route'>) {
  const items = (): readonly MenuItem[] =>
    (dashboard.all.peek() ?? []).map((each) => ({
      label: each.name,
      icon: each.isShared ? 'users' : 'layout-dashboard',
      ...(each.id === record.id && { note: t('Open') }),
      href: formatRoute(dashboardRoute(route, each.id)),
    }))
  return (
    <MenuButton label={record.name} icon="layout-dashboard" class="dt-switch" items={items}>
      <Icon name="chevron-down" size="s" />
    </MenuButton>
  )
}

const unitLabels = (): Readonly<Record<PeriodUnit, string>> => ({
  week: t('Week'),
  month: t('Month'),
  quarter: t('Quarter'),
  year: t('Year'),
})

function PeriodSwitch({ record, route, filters: { period, today } }: Omit<BarProps, 'dashboard'>) {
  const labels = unitLabels()
  const step = (by: number) => changeFragment(route, { at: stepPeriod(period, by).from })
  const isNow = period.from <= today && today <= period.to
  return (
    <>
      <span class="seg" role="group" aria-label={t('Period')}>
        {PERIOD_UNITS.map((unit) => (
          <button
            key={unit}
            type="button"
            aria-pressed={unit === period.unit}
            onClick={() => changeFragment(route, { period: unit === record.period ? undefined : unit })}
          >
            {labels[unit]}
          </button>
        ))}
      </span>
      <span class="pager dt-pager worded">
        <Button label={t('Previous period')} icon="chevron-left" iconOnly kind="ghost" onClick={() => step(-1)} />
        <Button
          label={nameOfPeriod(period)}
          icon="calendar"
          kind="ghost"
          disabled={isNow}
          onClick={() => changeFragment(route, { at: undefined })}
        />
        <Button label={t('Next period')} icon="chevron-right" iconOnly kind="ghost" onClick={() => step(1)} />
      </span>
    </>
  )
}

/** Offered to those who see records of several companies. */
function CompanyMenu({ route, filters: { company } }: Pick<BarProps, 'route' | 'filters'>) {
  const offered = offeredCompanies()
  if (offered.length < 2) return null
  const choose = (id: number | null) => changeFragment(route, { company: id === null ? undefined : String(id) })
  return (
    <MenuButton
      label={company?.name ?? t('All companies')}
      icon="building-2"
      items={() => [
        { label: t('All companies'), icon: company === null ? 'check' : 'building-2', run: () => choose(null) },
        ...offered.map(({ id, name }) => ({
          label: name,
          icon: id === company?.id ? 'check' : 'building-2',
          run: () => choose(id),
        })),
      ]}
    >
      <Icon name="chevron-down" size="s" />
    </MenuButton>
  )
}
