import { runService } from '../node/main.ts'
import type { CliCommand } from './command.ts'

export const serveCommand: CliCommand = {
  name: 'serve',
  summary: 'Start the service and keep it running',
  options: {},
  async run({ config, log }) {
    const serving = await runService(config, log)
    return serving && { json: { url: serving.url }, text: serving.greeting }
  },
}
