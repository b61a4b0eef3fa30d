import { conflict } from '../errors.ts'
import type { Catalogue } from './graph.ts'
import { type ModuleRow, presentModules } from './module-row.ts'

/** Modules that are installed in the database but not part of this program: another program installed them, or their addon was removed. */
export const missingModules = (modules: ReadonlyMap<string, ModuleRow>, catalogue: Pick<Catalogue, 'has'>): string[] =>
  presentModules(modules).filter((name) => !catalogue.has(name))

/** A message with the missing modules and what to do. */
export const describeMissing = (names: readonly string[]): string =>
  `The database has ${names.length === 1 ? 'the module' : 'the modules'} ${names.join(', ')}, which this program lacks. ` +
  'If this process is older than the install, restart it. Otherwise add the folder that holds the addon to addons_path, or use the program that installed it.'

/** Refuses changes of modules and of the schema while installed modules are missing, since their declarations are unknown. */
export function refuseMissing(modules: ReadonlyMap<string, ModuleRow>, catalogue: Catalogue): void {
  const missing = missingModules(modules, catalogue)
  if (missing.length > 0) throw conflict('module_state', describeMissing(missing), { missing })
}
