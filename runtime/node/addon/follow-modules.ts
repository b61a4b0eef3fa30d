import type { ModuleState } from '../../../kernel/module/state.ts'
import type { Services } from '../../../kernel/services.ts'
import { type App, serveAll, type Takes } from '../../app.ts'
import type { RegistryHolder } from '../../registry-holder.ts'

export interface FollowedHost {
  readonly services: Services
  /** Must have loaded its first state. */
  readonly holder: RegistryHolder
}

/** The app with the routes of the modules that are switched on, rebuilt when they change. */
export function followModules({ services, holder }: FollowedHost, takes?: Takes): App {
  let made: { readonly active: ReadonlySet<string>; readonly app: App } | undefined
  const appFor = (state: ModuleState): App => {
    if (made?.active !== state.active) made = { active: state.active, app: serveAll(services, routesOf(state), takes) }
    return made.app
  }
  return { fetch: (request, address) => appFor(holder.held!).fetch(request, address) }
}

const routesOf = ({ addons, active }: ModuleState) =>
  addons.filter((addon) => active.has(addon.name)).flatMap((addon) => addon.routes)
