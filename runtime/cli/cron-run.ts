import { type CronRun, runDueJob } from '../../kernel/job/cron.ts'
import type { CliCommand } from './command.ts'
import { withReadyHost } from './with-host.ts'

const MAX_RUNS = 1_000

export const cronRunCommand: CliCommand = {
  name: 'cron run',
  summary: 'Run the scheduled jobs that are due, each once',
  options: {},
  async run(call) {
    const runs = await withReadyHost(call, async ({ services, holder }) => {
      const done: CronRun[] = []
      while (done.length < MAX_RUNS) {
        const run = await runDueJob(services, await holder.latest())
        if (run === null) break
        done.push(run)
      }
      return done
    })
    const lines = runs.map(
      ({ name, outcome, durationMs, error }) => `${outcome}  ${name}  ${durationMs} ms${error ? `  ${error}` : ''}`,
    )
    return {
      json: { runs },
      text: lines.length === 0 ? 'Nothing is due.' : lines.join('\n'),
      failed: runs.some((run) => run.outcome === 'failed'),
    }
  },
}
