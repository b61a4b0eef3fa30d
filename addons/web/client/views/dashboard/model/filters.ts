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

/** What holds for all tiles of a dashboard. */
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

/** The filters as they apply to one tile; each is named in the search bar of its full view. */
export const tileFilters = (
  { dateField, companyField }: TileRecord,
  { period, company }: Filters,
): readonly OwnFilter[] => [
  ...(dateField === null ? [] : [{ label: nameOfPeriod(period), domain: duringDays(dateField, period) }]),
  ...companyFilter(companyField, company),
]

export const companyFilter = (field: string | null, company: Filters['company']): readonly OwnFilter[] =>
  field === null || company === null ? [] : [{ label: company.name, domain: [[field, '=', company.id]] }]
