import type { Route } from '../../router/codec.ts'
import { services } from '../../services.ts'

/** Parameters that say which view an address shows. */
const OF_VIEW = ['action', 'model', 'view_type', 'id'] as const

/**
 * The address the search of a view works on. While a changed search is still loading this is the new one already: it shows at once, and
 * the next change adds to it instead of replacing it.
 */
export function askedRoute(shown: Route): Route {
  const asked = services().router.route.value
  return OF_VIEW.every((name) => asked.params[name] === shown.params[name]) ? asked : shown
}
