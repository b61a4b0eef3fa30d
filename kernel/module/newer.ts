import { conflict } from '../errors.ts'
import type { Catalogue } from './graph.ts'
import { type ModuleRow, presentModules } from './module-row.ts'

/** Refuses to work on modules that a newer program has updated: this program may misread their data. */
export function refuseNewer(modules: ReadonlyMap<string, ModuleRow>, catalogue: Catalogue): void {
  const newer = presentModules(modules).flatMap((name) => {
    const theirs = modules.get(name)!.version
    const ours = catalogue.get(name)?.version
    return ours !== undefined && compareVersions(theirs, ours) > 0 ? [{ name, theirs, ours }] : []
  })
  if (newer.length === 0) return
  const each = newer.map(({ name, theirs, ours }) => `${name} ${theirs} (this program has ${ours})`)
  throw conflict(
    'module_state',
    `The database is from a newer version: it has ${each.join(', ')}. Use the program that updated it, or restore a backup.`,
  )
}

/** Like `sort`: versions are numbers with points between, and missing ones count as 0. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]]
  const at = Array.from({ length: Math.max(left.length, right.length) }, (_, i) => (left[i] ?? 0) - (right[i] ?? 0))
  return at.find((difference) => difference !== 0) ?? 0
}
