import type { Route } from '../../router/codec.ts'
import { services } from '../../services.ts'

/** Parameters that say which view an address shows. */
const OF_VIEW = ['action', 'model', 'view_type', 'id'] as const

/**
 * The address that changes of a search start from. While a changed search is loading this is already the new one, so that it is shown at
 * once and the next change adds to it instead of replacing it.
 */
export function askedRoute(shown: Route): Route {
  const asked = services().router.route.value
  return OF_VIEW.every((name) => asked.params[name] === shown.params[name]) ? asked : shown
}
