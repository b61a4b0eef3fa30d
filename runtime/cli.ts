import { runLine } from './cli/run-line.ts'

const writer = (stream: NodeJS.WriteStream) => {
  // A log on a full disk or a closed pipe must not end the process.
  stream.on('error', () => {})
  return (text: string) => void stream.write(`${text}\n`)
}

process.setSourceMapsEnabled(true)
process.exitCode = await runLine(process.argv.slice(2), {
  env: process.env,
  input: process.stdin,
  out: writer(process.stdout),
  err: writer(process.stderr),
})
