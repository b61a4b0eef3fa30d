import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSecretOf, OTHER_SECRET } from '../../../kernel/auth/secret-check.ts'
import { conflict } from '../../../kernel/errors.ts'
import { counted } from '../../../kernel/i18n/counted.ts'
import { settleRestored } from '../../../kernel/schema/restored.ts'
import { readServerMajor } from '../../../kernel/schema/server-version.ts'
import type { Db } from '../../../kernel/sql/database.ts'
import { sql } from '../../../kernel/sql/sql.ts'
import { namePath } from '../../node/file/file-error.ts'
import { findPgTool, readPgTool, runPgTool } from '../../node/pg-tools.ts'
import type { CliCommand } from '../command.ts'
import { withHost } from '../with-host.ts'

const ARGS = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction']
/** Comments on objects that another role may own. Our own comments, on tables, constraints and indexes, are needed and restored. */
const FOREIGN_COMMENT = / COMMENT - (EXTENSION|SCHEMA) /

export const restoreCommand: CliCommand = {
  name: 'restore',
  summary: 'Read a backup into the configured database, which must be empty',
  names: { label: '<file>', least: 1, most: 1 },
  options: {},
  async run(call) {
    const file = call.names[0]!
    await access(file).catch(namePath(file))
    const heldMails = await withHost(call, async ({ services: { db, secretKey }, dsn }) => {
      await requireEmpty(db)
      const tool = await findPgTool('pg_restore', await readServerMajor(db))
      await restoreFrom(file, tool, dsn)
      const held = await settleRestored(db)
      if (!(await isSecretOf(db, secretKey))) call.log.line('warn', OTHER_SECRET)
      return held
    })
    const mails =
      heldMails === 0 ? '' : ` ${counted(heldMails, 'mail')} may have been sent since the backup: svc mail list.`
    return {
      json: { file, held_mails: heldMails },
      text: `Restored ${file}. Everybody has to sign in again.${mails} Start the service, or run svc migrate.`,
    }
  },
}

/** All that the backup contains, except for comments that only a superuser may write. */
async function restoreFrom(file: string, tool: string, dsn: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'modulus-restore-'))
  try {
    const contents = join(folder, 'contents')
    const lines = (await readPgTool(tool, ['--list', file])).split('\n')
    await writeFile(contents, lines.filter((line) => !FOREIGN_COMMENT.test(line)).join('\n'))
    await runPgTool({ tool, args: [...ARGS, `--use-list=${contents}`, file], dsn })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function requireEmpty(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') limit 1`.execute(
    db,
  )
  if (rows.length > 0)
    throw conflict(
      'database_state',
      `The database is not empty: it has the table ${rows[0]!.name}. Restore into a new one.`,
    )
}
