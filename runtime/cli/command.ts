import type { Readable } from 'node:stream'
import type { Config } from '../config.ts'
import type { Log } from '../node/log/log.ts'

export interface Option {
  /** A flag takes no value. */
  readonly type: 'text' | 'flag'
  /** A one-letter form of the name. */
  readonly short?: string
  readonly help: string
  /** Name of the value in the help. */
  readonly value?: string
  readonly required?: boolean
}

/** The arguments of a command, already checked against its declaration. */
export interface Call {
  readonly config: Config
  readonly log: Log
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly names: readonly string[]
  flag(option: string): boolean
  /** The value of an option; undefined when it was not given. */
  text(option: string): string | undefined
}

/** The result of a command: members of the JSON answer, and lines for a person. */
export interface CommandResult {
  readonly json: Readonly<Record<string, unknown>>
  readonly text: string
  /** The command ran and found a problem: exit code 1. */
  readonly failed?: boolean
}

export interface CliCommand {
  /** One or two words. */
  readonly name: string
  readonly summary: string
  /** Arguments after the name, as the help shows them; without it none are allowed. */
  readonly names?: { readonly label: string; readonly least: number; readonly most: number }
  readonly options: Readonly<Record<string, Option>>
  /** Undefined: it was stopped before it had a result. A service keeps running after its result. */
  run(call: Call): Promise<CommandResult | undefined>
}

/** The command line is wrong; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const commaList = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
