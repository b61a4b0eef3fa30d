import { addMonths, createZone, localDay } from '../domain/zone.ts'
import type { Env } from '../env.ts'
import { badRequest } from '../errors.ts'
import type { WireDomain, WireFilter, WireSearch } from '../view/wire.ts'
import { allDomains, anyDomain } from './join-domains.ts'

/**
 * The domain of the named filters: filters of one set are OR-ed, the sets are AND-ed. A date filter takes a period after a
 * colon (`2026`, `2026-Q1`, `2026-03`), the default is this month.
 */
export function filterDomain(env: Env, search: WireSearch, names: readonly string[]): WireDomain {
  const sets = new Map<number, WireDomain[]>()
  for (const name of names) {
    const { filter, period } = findFilter(search, name)
    const domain = filter.domain ?? (filter.date === undefined ? null : [])
    if (domain === null) continue
    const whole = filter.date === undefined ? domain : [...domain, ...periodDomain(env, filter.date, period)]
    sets.set(filter.set, [...(sets.get(filter.set) ?? []), whole])
  }
  return allDomains([...sets.values()].map(anyDomain))
}

export const filterNames = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
]

function findFilter({ filters }: WireSearch, text: string): { filter: WireFilter; period: string | null } {
  const colon = text.indexOf(':')
  const [name, period] = colon < 0 ? [text, null] : [text.slice(0, colon), text.slice(colon + 1)]
  const filter = filters.find((each) => each.name === name)
  if (filter === undefined || (period !== null && filter.date === undefined)) {
    throw badRequest('filter_invalid', `filter: there is no filter ${text.slice(0, 80)} here.`, {
      path: 'query.filter',
    })
  }
  return { filter, period }
}

const PERIOD = /^((?:19|20|21)\d\d)(?:-(?:Q([1-4])|(0[1-9]|1[0-2])))?$/

function periodDomain(env: Env, field: string, period: string | null): WireDomain {
  const { from, months } = period === null ? thisMonth(env) : parsePeriod(period)
  return [
    [field, '>=', from],
    [field, '<', addMonths(from, months)],
  ]
}

function parsePeriod(period: string): { readonly from: string; readonly months: number } {
  const match = PERIOD.exec(period)
  if (match === null) {
    throw badRequest(
      'filter_invalid',
      'filter: a period is a year, a quarter or a month, like 2026, 2026-Q1 or 2026-03.',
      {
        path: 'query.filter',
      },
    )
  }
  const [, year, quarter, month] = match
  if (month !== undefined) return { from: `${year}-${month}-01`, months: 1 }
  if (quarter === undefined) return { from: `${year}-01-01`, months: 12 }
  return { from: `${year}-${String(Number(quarter) * 3 - 2).padStart(2, '0')}-01`, months: 3 }
}

const thisMonth = (env: Env) => ({
  from: `${localDay(createZone(env.tz), env.now.getTime()).slice(0, 7)}-01`,
  months: 1,
})
