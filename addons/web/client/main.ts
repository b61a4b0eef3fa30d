import { h, render } from 'preact'
import { reloadOnBuild } from './core/dev-reload.ts'
import { registerFields } from './fields/index.ts'
import { App } from './shell/app.tsx'
import { registerCommands } from './shell/commands.ts'
import { registerPages } from './shell/pages.ts'
import { startServices } from './start.ts'
import { registerViews } from './views/register-views.ts'

// Before the scripts of addons, which run after this one, so that a name they register again replaces ours.
registerFields()
registerViews()
registerCommands()

// Module scripts run in order before this event, once the page is parsed, so addons have registered what they bring.
if (document.readyState !== 'complete') document.addEventListener('DOMContentLoaded', () => void boot())
else void boot()

async function boot(): Promise<void> {
  const bootstrap = window.__WC_BOOTSTRAP__
  const root = document.getElementById('app')
  if (!bootstrap || !root) return
  if (__DEV__) reloadOnBuild()
  registerPages(location.pathname)
  await startServices(bootstrap)
  render(h(App, {}), root)
}
