import { today } from '../../../core/format.ts'
import type { Route } from '../../../router/codec.ts'
import type { OwnFilter } from '../../../search/query/search-state.ts'
import { services } from '../../../services.ts'
import {
  type DashboardPeriod,
  duringDays,
  isPeriodUnit,
  nameOfPeriod,
  type PeriodUnit,
  periodAround,
} from './period.ts'
import type { TileRecord } from './tile.ts'

/** Filters for all tiles of a dashboard. */
export interface Filters {
  readonly period: DashboardPeriod
  readonly company: { readonly id: number; readonly name: string } | null
  readonly today: string
}

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

/** The filters that the fragment of the address names; without any the current period of the dashboard, and every company. */
export function readFilters({ state }: Route, usual: PeriodUnit): Filters {
  const { period = '', at = '', company } = state
  const day = today()
  const unit = isPeriodUnit(period) ? period : usual
  return {
    period: periodAround(unit, DAY.test(at) ? at : day),
    company: offeredCompanies().find(({ id }) => String(id) === company) ?? null,
    today: day,
  }
}

/** The companies whose records the user sees at the moment. */
export const offeredCompanies = () => services().session.bootstrap.companies.filter(({ active }) => active)

/** Views of a stretch of time show the period itself, with what reaches into it, instead of being filtered by it. */
const IN_TIME: ReadonlySet<string> = new Set(['calendar', 'gantt'])

/** The filters as they apply to one tile; each is named in the search bar of its full view. */
export const tileFilters = (
  { dateField, companyField, viewType }: TileRecord,
  { period, company }: Filters,
): readonly OwnFilter[] => [
  ...(dateField === null || IN_TIME.has(viewType)
    ? []
    : [{ label: nameOfPeriod(period), domain: duringDays(dateField, period) }]),
  ...companyFilter(companyField, company),
]

/** The period as state of the view: a day of it, today if it is in it. */
export const tilePeriod = (
  { dateField, viewType }: TileRecord,
  { period, today: day }: Filters,
): Readonly<Record<string, string>> => {
  if (dateField === null || !IN_TIME.has(viewType)) return {}
  const isNow = period.from <= day && day <= period.to
  return { scale: period.unit, ...(!isNow && { date: period.from }) }
}

export const companyFilter = (field: string | null, company: Filters['company']): readonly OwnFilter[] =>
  field === null || company === null ? [] : [{ label: company.name, domain: [[field, '=', company.id]] }]
