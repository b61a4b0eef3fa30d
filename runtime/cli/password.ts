import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import { namePath } from '../node/file/file-error.ts'
import { type Call, type Option, UsageError } from './command.ts'

const VARIABLE = 'MODULUS_PASSWORD'

export const PASSWORD_OPTIONS: Readonly<Record<string, Option>> = {
  password: { type: 'text', value: 'password', help: 'password; other users of the machine may see it' },
  'password-file': {
    type: 'text',
    value: 'file',
    help: `file with the password, - for standard input; or ${VARIABLE}`,
  },
}

/** The password from an option, a file or the environment; otherwise it is asked for at the terminal. */
export async function readPassword(call: Call): Promise<string> {
  const file = call.text('password-file')
  if (file !== undefined && call.text('password') !== undefined)
    throw new UsageError('Give --password or --password-file, not both.')
  const given = call.text('password') ?? (file === undefined ? call.env[VARIABLE] : await readSource(call, file))
  if (given !== undefined) return given
  if (!call.input.isTTY) throw new UsageError('Missing option: --password-file (or --password).')
  return askPassword(call)
}

async function readSource({ input }: Call, file: string): Promise<string> {
  const content = await (file === '-' ? readAll(input) : readFile(file, 'utf8').catch(namePath(file)))
  return content.replace(/\r?\n$/, '')
}

/** Asks without showing what is typed. */
async function askPassword({ input }: Call): Promise<string> {
  process.stderr.write('Password: ')
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input, output: hidden, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
