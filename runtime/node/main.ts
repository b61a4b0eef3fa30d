import { isInitialised } from '../../kernel/module/initialise.ts'
import type { ModuleState } from '../../kernel/module/state.ts'
import type { Services } from '../../kernel/services.ts'
import { type App, createApp } from '../app.ts'
import type { Config } from '../config.ts'
import { type Host, openHost } from './host.ts'
import type { Log } from './log.ts'
import { prepareDatabase } from './prepare-database.ts'
import { type Listener, listen } from './server.ts'
import { stopOnSignals } from './stop.ts'

export interface Serving {
  readonly url: string
  /** The address and what to do next, for a person. */
  readonly greeting: string
}

/** Serves until a signal ends the process. Answers once it listens; undefined when it was stopped before. */
export async function serve(config: Config, log: Log): Promise<Serving | undefined> {
  let stopped: Promise<void> | undefined
  let host: Host | undefined
  let listener: Listener | undefined
  let begun: Promise<Serving | undefined> = Promise.resolve(undefined)
  const stop = async (graceMs: number) => {
    // A start that is under way ends first, so that nothing it opens is left behind.
    await begun.catch(() => undefined)
    await listener?.close(graceMs)
    await host?.close()
  }
  stopOnSignals(
    {
      stop(graceMs) {
        if (stopped) listener?.server.closeAllConnections()
        stopped ??= stop(graceMs)
        return stopped
      },
    },
    log,
  )
  const stopping = () => stopped !== undefined
  const start = async () => {
    host = await openHost({ config, observe: log.observe, purpose: 'server', stopping })
    if (stopping()) return undefined
    const { migrations, modules } = await prepareDatabase(host)
    for (const name of migrations) log.line('info', `migration ${name} applied`)
    for (const name of modules.modules) log.line('info', `module ${name} installed or updated`)
    await host.holder.latest()
    if (stopping()) return undefined
    listener = await listen(followModules(host), { host: config.http_host, port: config.http_port })
    return { url: listener.url, greeting: await greet(host.services, listener.url) }
  }
  begun = start()
  try {
    return await begun
  } catch (error) {
    await host?.close()
    throw error
  }
}

/** The app with the routes of the modules that are switched on, made anew when they change. */
function followModules({ services, holder }: Host): App {
  let made: { readonly active: ReadonlySet<string>; readonly app: App } | undefined
  const appFor = (state: ModuleState): App => {
    if (made?.active !== state.active) made = { active: state.active, app: createApp(services, routesOf(state)) }
    return made.app
  }
  return { fetch: (request, address) => appFor(holder.held!).fetch(request, address) }
}

const routesOf = ({ addons, active }: ModuleState) =>
  addons.filter((addon) => active.has(addon.name)).flatMap((addon) => addon.routes)

async function greet({ db }: Services, url: string): Promise<string> {
  const next = (await isInitialised(db))
    ? 'Create an API key:\n  npx svc key create --login <login> --name "my first key"'
    : 'Set it up, in another terminal:\n  npx svc init --company "My Company" --login admin@example.com'
  return `\nModulus is ready at ${url}\n\n${next}\n`
}
