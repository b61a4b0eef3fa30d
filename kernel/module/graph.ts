import { conflict, notFound, unavailable } from '../errors.ts'
import type { Addon } from './addon.ts'

/** Every addon the program was built with, by name. */
export type Catalogue = ReadonlyMap<string, Addon>

/** The addons of the program; a host without them cannot change modules. */
export function catalogueOf({ catalogue }: { readonly catalogue?: Catalogue | undefined }): Catalogue {
  if (catalogue === undefined)
    throw unavailable('host_lacks', 'Modules are not changed on this host. Use the command line.')
  return catalogue
}

/** Indexes the addons and refuses duplicate names, missing dependencies and cycles, all of them in one error. `placeOf` names where an addon comes from. */
export function buildCatalogue(addons: readonly Addon[], placeOf?: (addon: Addon) => string): Catalogue {
  const catalogue = new Map<string, Addon>()
  const problems: string[] = []
  for (const addon of addons) {
    const same = catalogue.get(addon.name)
    const places = same && placeOf ? `: in ${placeOf(same)} and in ${placeOf(addon)}` : ''
    if (same) problems.push(`There are two addons named ${addon.name}${places}.`)
    catalogue.set(addon.name, addon)
  }
  for (const addon of addons) {
    for (const name of addon.depends) {
      if (!catalogue.has(name)) problems.push(`Addon ${addon.name} depends on ${name}, which does not exist.`)
    }
  }
  problems.push(...findCycles(catalogue).map((cycle) => `Addons depend on each other: ${cycle.join(' → ')}.`))
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return catalogue
}

/** The named addons and everything they depend on, each after its dependencies; otherwise in catalogue order. */
export function dependencyOrder(catalogue: Catalogue, names: Iterable<string>): Addon[] {
  const ordered = new Map<string, Addon>()
  const visit = (name: string) => {
    if (ordered.has(name)) return
    const addon = findAddon(catalogue, name)
    addon.depends.forEach(visit)
    ordered.set(name, addon)
  }
  const wanted = new Set(names)
  for (const name of wanted) findAddon(catalogue, name)
  for (const name of catalogue.keys()) if (wanted.has(name)) visit(name)
  return [...ordered.values()]
}

/** What is installed once `names` are: them, their dependencies, and every auto-install addon whose dependencies are then all chosen. */
export function installClosure(catalogue: Catalogue, installed: Iterable<string>, names: Iterable<string>): Addon[] {
  const chosen = new Set(dependencyOrder(catalogue, [...installed, ...names]).map((addon) => addon.name))
  const comesAlong = (addon: Addon) =>
    addon.auto_install && !chosen.has(addon.name) && addon.depends.every((name) => chosen.has(name))
  for (;;) {
    const more = [...catalogue.values()].filter(comesAlong)
    if (more.length === 0) return dependencyOrder(catalogue, chosen)
    for (const addon of more) chosen.add(addon.name)
  }
}

/** The installed addons that need `name`, directly or through others, in dependency order. */
export function dependentsOf(catalogue: Catalogue, name: string, installed: Iterable<string>): string[] {
  const needing = new Set([name])
  const order = dependencyOrder(catalogue, installed)
  for (const addon of order) if (addon.depends.some((other) => needing.has(other))) needing.add(addon.name)
  return order.map((addon) => addon.name).filter((other) => other !== name && needing.has(other))
}

export function findAddon(catalogue: Catalogue, name: string): Addon {
  const addon = catalogue.get(name)
  if (!addon) throw notFound('module_unknown', `There is no module ${name}.`)
  return addon
}

export function refuseDependents(catalogue: Catalogue, name: string, installed: Iterable<string>): void {
  const dependents = dependentsOf(catalogue, name, installed)
  if (dependents.length > 0)
    throw conflict('module_state', `Module ${name} is needed by ${dependents.join(', ')}.`, { dependents })
}

function findCycles(catalogue: Catalogue): string[][] {
  const cycles: string[][] = []
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]) => {
    const start = path.indexOf(name)
    if (start >= 0) cycles.push([...path.slice(start), name])
    if (start >= 0 || done.has(name)) return
    for (const next of catalogue.get(name)?.depends ?? []) visit(next, [...path, name])
    done.add(name)
  }
  for (const name of catalogue.keys()) visit(name, [])
  return cycles
}
