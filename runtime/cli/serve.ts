import { serve } from '../node/main.ts'
import type { Command } from './command.ts'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Start the service and keep it running',
  options: {},
  async run({ config, log }) {
    const serving = await serve(config, log)
    return serving && { json: { url: serving.url }, text: serving.greeting }
  },
}
