import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { withClient } from '../../support/own-postgres.ts'

/** A change of a source file: what to find, exactly once, and what to put in its place. */
interface Edit {
  readonly file: string
  readonly find: RegExp
  readonly put: string
}

/** The release after this one: a migration of the kernel for a table that every write uses, and a newer base whose partners have one field more. */
export const EDITS: readonly Edit[] = [
  {
    file: 'migrations/index.ts',
    find: /^\]$/m,
    put: "  { name: '9999_next', sql: 'ALTER TABLE sys_outbox ADD COLUMN next_release text' },\n]",
  },
  { file: 'addons/base/addon.ts', find: /version: '[\d.]+'/, put: "version: '99.0'" },
  {
    file: 'addons/base/models/core-partner.ts',
    find: /^ {2}fields: \{$/m,
    put: '  fields: {\n    next_release: field.char({ index: true }),',
  },
]

/** Throws where a source no longer has the place. */
export function edited(text: string, { file, find, put }: Edit): string {
  if (!find.test(text)) throw new Error(`${file} has no place for ${put}`)
  return text.replace(find, () => put)
}

const SOURCES = ['addons', 'handlers', 'kernel', 'migrations', 'runtime', 'package.json', 'package-lock.json']

/** Builds it from a copy of the sources; returns the program. */
export async function buildNextRelease(parent: string): Promise<string> {
  const folder = join(parent, 'next-release')
  await mkdir(folder)
  for (const source of SOURCES) await cp(source, join(folder, source), { recursive: true })
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  for (const edit of EDITS) {
    const path = join(folder, edit.file)
    await writeFile(path, edited(await readFile(path, 'utf8'), edit))
  }
  await promisify(execFile)(process.execPath, ['runtime/build/build.mjs'], { cwd: folder })
  return join(folder, '.build/svc.js')
}

/** Whether a database has what the release brings. */
export const isNextRelease = (dsn: string): Promise<boolean> =>
  withClient(dsn, async (client) => {
    const { rows } = await client.query(`
      select from information_schema.columns
      where (table_name, column_name) in (('sys_outbox', 'next_release'), ('core_partner', 'next_release'))`)
    return rows.length === 2
  })
