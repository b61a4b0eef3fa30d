import { Readable } from 'node:stream'
import { runLine } from '../../runtime/cli/line/run-line.ts'
import type { Settings } from './svc.ts'

export interface LineResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** The answer to `--json`. */
  readonly json: ReturnType<typeof JSON.parse>
}

/** Runs a line inside this process, which takes milliseconds. */
export async function runInProcess(line: string, env: Settings, input = '', isTTY = false): Promise<LineResult> {
  let stdout = ''
  let stderr = ''
  const code = await runLine(split(line), {
    env,
    input: Object.assign(Readable.from([input]), { isTTY }),
    out: (text) => {
      stdout += `${text}\n`
    },
    err: (text) => {
      stderr += `${text}\n`
    },
  })
  return { code, stdout, stderr, json: line.includes('--json') ? JSON.parse(stdout) : {} }
}

/** Words of a command line; quoted ones keep their blanks. */
export const split = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!)
