import type { WireDomain } from '../view/wire.ts'

/** All domains AND-ed. The operands of a list are AND-ed already, so the lists are concatenated. */
export const allDomains = (domains: readonly WireDomain[]): WireDomain => domains.flat()

/** All domains OR-ed. If one of them is empty, which matches everything, so does the result. */
export function anyDomain(domains: readonly WireDomain[]): WireDomain {
  if (domains.some((domain) => domain.length === 0)) return []
  return [...domains.slice(1).map(() => '|'), ...domains.flatMap(asOneOperand)]
}

/** A domain as a single operand of a prefix operator. */
function asOneOperand(domain: WireDomain): WireDomain {
  const joints = operandsOf(domain) - 1
  return [...Array.from({ length: joints }, () => '&'), ...domain]
}

/** The number of operands at the top level of a domain in prefix form. */
function operandsOf(domain: WireDomain): number {
  let open = 0
  for (const token of domain.toReversed()) {
    if (token === '&' || token === '|') open--
    else if (token !== '!') open++
  }
  return open
}
