import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../runtime/node/embedded/embedded-postgres.ts'
import { TEST_FOLDER } from './cluster.ts'
import { installPackages, mayInstall } from './debian-packages.ts'

/** Where Debian has its versions. */
export const POSTGRES_HOME = '/usr/lib/postgresql'

/** Newest version that has a server and its client programs. */
export const newestPostgres = (): string | undefined =>
  (existsSync(POSTGRES_HOME) ? readdirSync(POSTGRES_HOME) : [])
    .filter((version) =>
      ['postgres', 'initdb', 'pg_dump'].every((name) => existsSync(join(POSTGRES_HOME, version, 'bin', name))),
    )
    .toSorted((a, b) => Number(b) - Number(a))[0]

/** Debian's package is installed when this is root. Throws if it is missing and cannot be installed. */
function requirePostgres(): string {
  if (newestPostgres() === undefined && mayInstall()) installPackages(['postgresql'])
  const version = newestPostgres()
  if (version === undefined)
    throw new Error('The tests of backups need PostgreSQL with its client programs: apt-get install postgresql.')
  return version
}

/** A server of the system with `pg_dump` and `pg_restore` that fit it, which the embedded one comes without. */
export async function startDebianPostgres(): Promise<EmbeddedPostgres> {
  const version = requirePostgres()
  const dataDir = await mkdtemp(join(tmpdir(), `${TEST_FOLDER}${process.pid}-`))
  // The account of the server looks into it.
  await chmod(dataDir, 0o755)
  const packageDir = join(dataDir, 'package')
  await mkdir(packageDir)
  await writeFile(join(packageDir, 'package.json'), JSON.stringify({ version }))
  await symlink(join(POSTGRES_HOME, version), join(packageDir, 'native'))
  const server = await startEmbeddedPostgres({ dataDir, packageDir, fsync: false })
  return {
    ...server,
    async stop() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
