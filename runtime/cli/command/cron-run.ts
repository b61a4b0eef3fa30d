import { runDueJobs } from '../../../kernel/job/cron.ts'
import type { CliCommand } from '../command.ts'
import { withReadyHost } from '../with-host.ts'

const LIMITS = { jobs: 1_000, ms: 3_600_000 }

export const cronRunCommand: CliCommand = {
  name: 'cron run',
  summary: 'Run the scheduled jobs that are due, each once',
  options: {},
  async run(call) {
    const runs = await withReadyHost(call, ({ services, holder, jobs }) =>
      runDueJobs(services, holder.latest, jobs, LIMITS),
    )
    const lines = runs.map(
      ({ name, outcome, durationMs, error }) => `${outcome}  ${name}  ${durationMs} ms${error ? `  ${error}` : ''}`,
    )
    return {
      json: { runs },
      text: lines.length === 0 ? 'Nothing is due.' : lines.join('\n'),
      failed: runs.some((run) => run.outcome !== 'done'),
    }
  },
}
