import type { WireDomain } from '../view/wire.ts'

/** One domain that means all of them. Each is a list of operands that are AND-ed already, so lists are just put together. */
export const allDomains = (domains: readonly WireDomain[]): WireDomain => domains.flat()

/** One domain that means any of them; one without conditions, which matches everything, makes it match everything. */
export function anyDomain(domains: readonly WireDomain[]): WireDomain {
  if (domains.some((domain) => domain.length === 0)) return []
  return [...domains.slice(1).map(() => '|'), ...domains.flatMap(asOneOperand)]
}

/** The same condition as a single operand of a prefix operator. */
function asOneOperand(domain: WireDomain): WireDomain {
  const joints = operandsOf(domain) - 1
  return [...Array.from({ length: joints }, () => '&'), ...domain]
}

/** How many operands the list leaves when every prefix operator has taken its own. */
function operandsOf(domain: WireDomain): number {
  let open = 0
  for (const token of domain.toReversed()) {
    if (token === '&' || token === '|') open--
    else if (token !== '!') open++
  }
  return open
}
