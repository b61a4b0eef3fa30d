import type { Env } from '../env.ts'
import { type ModuleRow, readModules } from '../module/module-row.ts'
import type { WireModule } from './wire.ts'

/** Every module of the program with what the database says about it, applications first; for administrators. */
export async function moduleCatalogue(env: Env): Promise<readonly WireModule[]> {
  const rows = await readModules(env.tx)
  const addons = [...(env.services.catalogue?.values() ?? [])]
  const isThere = (name: string) => stateOf(rows.get(name)) !== 'uninstalled'
  return addons
    .map(
      ({ name, title, summary, version, application, depends }): WireModule => ({
        name,
        title,
        summary,
        application,
        state: stateOf(rows.get(name)),
        version,
        installedVersion: isThere(name) ? (rows.get(name)?.version ?? null) : null,
        depends,
        neededBy: addons
          .filter((other) => other.depends.includes(name) && isThere(other.name))
          .map((other) => other.name),
      }),
    )
    .sort((a, b) => Number(b.application) - Number(a.application) || a.title.localeCompare(b.title))
}

const stateOf = (row: ModuleRow | undefined): WireModule['state'] => row?.state ?? 'uninstalled'
