import { CONFIG_KEYS } from '../../config.ts'
import { runService } from '../../node/main.ts'
import { type CliCommand, UsageError } from '../command.ts'

export const serveCommand: CliCommand = {
  name: 'serve',
  summary: 'Start the service and keep it running',
  options: { port: { type: 'text', value: 'port', help: 'port to listen on, instead of http_port' } },
  async run({ config, log, text }) {
    const serving = await runService({ ...config, http_port: readPort(text('port')) ?? config.http_port }, log)
    return serving && { json: { url: serving.url }, text: serving.greeting }
  },
}

function readPort(text: string | undefined): number | undefined {
  try {
    return text === undefined ? undefined : CONFIG_KEYS.http_port.parse(text)
  } catch (error) {
    throw new UsageError(`--port must be ${error instanceof Error ? error.message : 'valid'}.`)
  }
}
