import { runLine } from './cli/line/run-line.ts'
import { createLineWriter } from './node/log/line-writer.ts'

process.setSourceMapsEnabled(true)
// The code if the process ends before the command has, for example because nothing is left to wait for.
process.exitCode = 1
runLine(process.argv.slice(2), {
  env: process.env,
  input: process.stdin,
  out: createLineWriter(process.stdout),
  err: createLineWriter(process.stderr),
}).then((code) => {
  process.exitCode = code
})
