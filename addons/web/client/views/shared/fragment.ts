import { changeRoute, type Route } from '../../router/codec.ts'
import { askedRoute } from '../../search/query/asked-route.ts'
import { services } from '../../services.ts'

/** Changes what the fragment says of the view, such as the kind of a chart; undefined is the default. It is no step of the history. */
export function changeFragment(route: Route, state: Readonly<Record<string, string | undefined>>): void {
  void services().router.go(changeRoute(askedRoute(route), {}, state), { replace: true })
}

/** The value of a key if it is one of those allowed, otherwise the default. */
export function choiceOf<T extends string>(route: Route, key: string, allowed: readonly T[], fallback: T): T {
  const value = route.state[key]
  return allowed.find((each) => each === value) ?? fallback
}
