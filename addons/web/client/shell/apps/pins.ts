import { signal } from '@preact/signals'
import type { WireApp } from '../../../../../kernel/view/wire.ts'
import { services } from '../../services.ts'
import { showError } from '../../ui/toasts.tsx'

const pins = signal<readonly string[] | null>(null)
let saving = Promise.resolve()

/** Modules of the pinned applications, in display order. */
export const pinnedModules = (): readonly string[] => pins.value ?? services().session.bootstrap.pinnedApps

export function pinnedApps(): readonly WireApp[] {
  const { apps } = services().session.bootstrap
  return pinnedModules().flatMap((module) => apps.find((app) => app.module === module) ?? [])
}

export const isPinned = (module: string): boolean => pinnedModules().includes(module)

/**
 * Shows the new order at once and saves it. Saves run one after the other; if one fails, the last saved order is
 * restored.
 */
export function setPins(modules: readonly string[]): void {
  const before = pinnedModules()
  pins.value = modules
  saving = saving.then(() => save(modules, before))
}

async function save(modules: readonly string[], before: readonly string[]): Promise<void> {
  const { transport } = services()
  try {
    await transport.send('/web/user/pinned-apps', {
      method: 'POST',
      body: JSON.stringify({ apps: modules }),
      repeatable: true,
    })
  } catch (error) {
    if (pins.peek() === modules) pins.value = before
    showError(error)
  }
}

export const togglePin = (module: string): void =>
  setPins(isPinned(module) ? pinnedModules().filter((each) => each !== module) : [...pinnedModules(), module])

/** Moves a pinned application to a position. */
export function movePin(module: string, to: number): void {
  const others = pinnedModules().filter((each) => each !== module)
  setPins(others.toSpliced(Math.max(0, Math.min(to, others.length)), 0, module))
}
