import type { WireBreadcrumb } from '../../../../kernel/view/wire.ts'
import { parseRoute } from './codec.ts'

/** An earlier page of the breadcrumbs, with its address. */
export interface Crumb {
  readonly label: string
  readonly href: string
}

const MAX_TRAIL = 6

/** The breadcrumbs after following a link from `here`; a page that is already among them is returned to. */
export function followTrail(trail: readonly Crumb[], here: Crumb | null, to: string): readonly Crumb[] {
  const walked = here === null ? trail : [...trail, here]
  const at = walked.findIndex(({ href }) => placeOf(href) === placeOf(to))
  return (at < 0 ? walked : walked.slice(0, at)).slice(-MAX_TRAIL)
}

/** The server's breadcrumbs without the current page. */
export const leadOf = (own: readonly WireBreadcrumb[]): readonly Crumb[] =>
  own.slice(0, -1).flatMap(({ label, href }) => (href === null ? [] : [{ label, href }]))

/** What distinguishes pages in the breadcrumbs: path, action, model and record. Another view, page number or search of the same records is not another page. */
function placeOf(href: string): string {
  const { path, params } = parseRoute(href)
  const isRecord = params.id !== undefined || params.view_type === 'form'
  return JSON.stringify([path, params.action, params.model, isRecord, params.id])
}
