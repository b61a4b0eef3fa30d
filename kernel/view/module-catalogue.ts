import type { Env } from '../env.ts'
import { titleOf } from '../module/addon.ts'
import { say } from '../speak.ts'
import { sql } from '../sql-text.ts'
import type { WireModule } from './wire.ts'

interface Row {
  readonly name: string
  readonly version: string
  readonly summary: string | null
  readonly application: boolean
  readonly depends: string | null
  readonly state: WireModule['state']
}

/** Every module there is, with what the database says about it, applications first; for administrators. */
export async function moduleCatalogue(env: Env): Promise<readonly WireModule[]> {
  const { rows } = await sql<Row>`
    select name, version, summary, application, depends, state from sys_module`.execute(env.tx)
  const modules = rows.map((row) => ({ ...row, depends: row.depends?.split(',') ?? [] }))
  const present = modules.filter(({ state }) => state !== 'uninstalled')
  return modules
    .map(({ name, version, summary, application, depends, state }): WireModule => {
      const addon = env.services.catalogue?.get(name)
      // One that is not installed has no words in the registry.
      const speak = (text: string) => say(addon?.translations ?? {}, env.lang, text)
      return {
        name,
        title: speak(addon?.title ?? titleOf(name)),
        summary: speak(summary ?? ''),
        application,
        state,
        version: addon?.version ?? version,
        installedVersion: state === 'uninstalled' ? null : version,
        depends,
        neededBy: present.filter((other) => other.depends.includes(name)).map((other) => other.name),
      }
    })
    .sort((a, b) => Number(b.application) - Number(a.application) || a.title.localeCompare(b.title))
}
