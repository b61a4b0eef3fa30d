import type { WireBreadcrumb } from '../../../../kernel/view/wire.ts'
import { parseRoute } from './codec.ts'

/** A place one came through, with the address that restores it. */
export interface Crumb {
  readonly label: string
  readonly href: string
}

const LONGEST_TRAIL = 6

/** The trail after following a link from `here`; a place that is in it already is gone back to. */
export function followTrail(trail: readonly Crumb[], here: Crumb | null, to: string): readonly Crumb[] {
  const walked = here === null ? trail : [...trail, here]
  const at = walked.findIndex(({ href }) => placeOf(href) === placeOf(to))
  return (at < 0 ? walked : walked.slice(0, at)).slice(-LONGEST_TRAIL)
}

/** What the bar shows: the way one came, or without one the server's own; then where one is. */
export function joinCrumbs(trail: readonly Crumb[], own: readonly WireBreadcrumb[]): readonly WireBreadcrumb[] {
  const last = own.at(-1)
  if (trail.length === 0 || !last) return own
  return [...trail, { label: last.label, href: null }]
}

/** The part of a server's breadcrumbs that leads to where one is. */
export const leadOf = (own: readonly WireBreadcrumb[]): readonly Crumb[] =>
  own.slice(0, -1).flatMap(({ label, href }) => (href === null ? [] : [{ label, href }]))

/** What tells places apart: page, action, model and record. Other kinds of view, pages and searches of the same records are no other place. */
function placeOf(href: string): string {
  const { path, params } = parseRoute(href)
  const isRecord = params.id !== undefined || params.view_type === 'form'
  return JSON.stringify([path, params.action, params.model, isRecord, params.id])
}
