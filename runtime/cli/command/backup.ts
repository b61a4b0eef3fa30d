import { open, rename, rm, stat } from 'node:fs/promises'
import { MOMENTARY_TABLES } from '../../../kernel/schema/restored.ts'
import { readServerMajor } from '../../../kernel/schema/server-version.ts'
import { namePath } from '../../node/file/file-error.ts'
import { findPgTool, runPgTool } from '../../node/pg-tools.ts'
import type { CliCommand } from '../command.ts'
import { withAnyHost } from '../with-host.ts'

export const backupCommand: CliCommand = {
  name: 'backup',
  summary: 'Write the whole database into a file with pg_dump, while the service runs',
  names: { label: '<file>', least: 1, most: 1 },
  options: {},
  async run(call) {
    const file = call.names[0]!
    const bytes = await withAnyHost(call, async ({ services, dsn }) => {
      const tool = await findPgTool('pg_dump', await readServerMajor(services.db))
      return dumpTo(file, tool, dsn)
    })
    const size = `${(bytes / 1_000_000).toFixed(1)} MB`
    const secret = call.config.secret_key === '' ? `${call.config.data_dir}/secret_key` : 'secret_key'
    return {
      json: { file, bytes },
      text: `Written ${file} (${size}). Keep ${secret} with it: without that secret its API keys do not work.`,
    }
  },
}

/** The file appears only when it is complete, and only its owner may read it. */
async function dumpTo(file: string, tool: string, dsn: string): Promise<number> {
  const draft = `${file}.part`
  const handle = await open(draft, 'w', 0o600).catch(namePath(draft))
  try {
    // Also leaves out the partitions of a partitioned table.
    const momentary = MOMENTARY_TABLES.flatMap((table) => [table, `${table}_?`]).map(
      (pattern) => `--exclude-table-data=${pattern}`,
    )
    const args = ['--format=custom', '--no-owner', '--no-privileges', ...momentary]
    await runPgTool({ tool, args, dsn, out: handle.fd })
    await handle.sync()
    await handle.close()
    await rename(draft, file)
  } catch (error) {
    await handle.close().catch(() => undefined)
    await rm(draft, { force: true })
    throw error
  }
  return (await stat(file)).size
}
