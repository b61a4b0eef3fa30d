import type { WireBreadcrumb } from '../../../../kernel/view/wire.ts'

/** A place one came through, with the address that restores it. */
export interface Crumb {
  readonly label: string
  readonly href: string
}

const LONGEST_TRAIL = 6

/** The trail after following a link from `here`; a place that is in it already is gone back to. */
export function followTrail(trail: readonly Crumb[], here: Crumb | null, to: string): readonly Crumb[] {
  const walked = here === null ? trail : [...trail.filter(({ href }) => href !== here.href), here]
  const at = walked.findIndex(({ href }) => placeOf(href) === placeOf(to))
  return (at < 0 ? walked : walked.slice(0, at)).slice(-LONGEST_TRAIL)
}

/** What the bar shows: the trail, then what the server says about where one is. Its own first steps give way to the trail. */
export function joinCrumbs(trail: readonly Crumb[], own: readonly WireBreadcrumb[]): readonly WireBreadcrumb[] {
  const last = own.at(-1)
  if (trail.length === 0 || !last) return own
  return [...trail, { label: last.label, href: null }]
}

/** The part of an address that tells places apart: paging, sorting and searching stay at the same place. */
function placeOf(href: string): string {
  const url = new URL(href, 'http://place')
  for (const name of ['filter', 'sort', 'offset', 'q', 'edit']) url.searchParams.delete(name)
  return url.pathname + url.search
}
