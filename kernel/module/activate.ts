import type { AuditActor } from '../audit.ts'
import { conflict } from '../errors.ts'
import type { Services } from '../services.ts'
import { changeModules, compileAddons, type ModuleChange, publishModuleChange } from './change.ts'
import { type Catalogue, dependencyOrder, findAddon, refuseDependents } from './graph.ts'
import { activeModules, type ModuleRow, presentModules, requirePresent, saveModules } from './module-row.ts'

/** Switches an installed module on again, with its menus, routes and jobs. */
export function activateModule(services: Services, catalogue: Catalogue, name: string, by?: AuditActor): Promise<void> {
  return switchModule({ services, catalogue, name, by }, 'installed', (modules) => {
    const off = findAddon(catalogue, name).depends.filter((other) => modules.get(other)?.state !== 'installed')
    if (off.length > 0) throw conflict('module_state', `Module ${name} needs ${off.join(', ')} to be switched on.`)
  })
}

/** Switches a module off: its menus, routes and jobs are disabled, its models and data stay. */
export function deactivateModule(
  services: Services,
  catalogue: Catalogue,
  name: string,
  by?: AuditActor,
): Promise<void> {
  return switchModule({ services, catalogue, name, by }, 'inactive', (modules) => {
    if (name === 'base') throw conflict('module_state', 'Module base cannot be switched off.')
    refuseDependents(catalogue, name, activeModules(modules))
  })
}

interface Switch {
  readonly services: Services
  readonly catalogue: Catalogue
  readonly name: string
  readonly by: AuditActor | undefined
}

function switchModule(
  { services, catalogue, name, by }: Switch,
  state: 'installed' | 'inactive',
  check: (modules: ReadonlyMap<string, ModuleRow>) => void,
): Promise<void> {
  const work = async (change: ModuleChange) => {
    const { modules, tx } = change
    findAddon(catalogue, name)
    const before = requirePresent(modules, name)
    if (before.state === state) return
    check(modules)
    await saveModules(tx, catalogue, [{ ...before, state }])
    await publishModuleChange(change, compileAddons(dependencyOrder(catalogue, presentModules(modules))), [
      [name, state],
    ])
  }
  return changeModules(services, catalogue, work, by)
}
