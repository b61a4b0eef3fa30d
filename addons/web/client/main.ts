import { h, render } from 'preact'
import { reloadOnBuild } from './core/dev-reload.ts'
import { App } from './shell/app.tsx'
import { startServices } from './start.ts'
import { registerViews } from './views/lazy.ts'

// Module scripts run in order before this event, so addons have registered what they bring.
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => void boot())
else void boot()

async function boot(): Promise<void> {
  const bootstrap = window.__WC_BOOTSTRAP__
  const root = document.getElementById('app')
  if (!bootstrap || !root) return
  if (__DEV__) reloadOnBuild()
  registerViews()
  await startServices(bootstrap)
  render(h(App, {}), root)
}
