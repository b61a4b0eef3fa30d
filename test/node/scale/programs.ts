import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages, mayInstall } from '../../support/debian-packages.ts'
import { newestPostgres, POSTGRES_HOME } from '../../support/debian-postgres.ts'

/** Programs of the rig and the packages of Debian that have them. */
const PACKAGES = {
  etcd: 'etcd-server',
  patroni: 'patroni',
  pgbouncer: 'pgbouncer',
  haproxy: 'haproxy',
} as const

export type Programs = Readonly<Record<keyof typeof PACKAGES, string>> & {
  /** Folder with the programs of PostgreSQL. */
  readonly postgres: string
}

const FOLDERS = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/sbin']

const find = (name: string): string | undefined => FOLDERS.map((folder) => join(folder, name)).find(existsSync)

function missing(): readonly string[] {
  const packages = Object.entries(PACKAGES).flatMap(([name, from]) => (find(name) ? [] : [from]))
  return newestPostgres() === undefined ? ['postgresql', ...packages] : packages
}

/** Installs what is missing if this is root, and says what is missing otherwise. */
export function requirePrograms(): Programs {
  if (missing().length > 0 && mayInstall()) {
    console.log(`Installing ${missing().join(', ')} …`)
    installPackages(missing())
  }
  const absent = missing()
  if (absent.length > 0)
    throw new Error(`Packages are missing. As root: apt-get install --no-install-recommends ${absent.join(' ')}`)
  const found = Object.fromEntries(Object.keys(PACKAGES).map((name) => [name, find(name)!]))
  return { ...(found as Omit<Programs, 'postgres'>), postgres: join(POSTGRES_HOME, newestPostgres()!, 'bin') }
}
