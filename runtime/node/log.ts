import { AppError } from '../../kernel/errors.ts'
import type { Observation, Observe } from '../../kernel/observation.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface LogOptions {
  readonly level: LogLevel
  readonly format: 'pretty' | 'json'
  /** Takes one line; must not throw. */
  readonly write: (line: string) => void
  readonly clock: () => Date
}

export interface Log {
  readonly observe: Observe
  line(level: LogLevel, text: string, extra?: Readonly<Record<string, unknown>>): void
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

const LEVEL_OF: Readonly<Record<Observation['kind'], LogLevel>> = {
  request: 'debug',
  rpc: 'debug',
  retry: 'debug',
  registry: 'info',
  warning: 'warn',
  failure: 'error',
}

/** Log lines of one process: text for people, or one JSON object per line for machines. */
export function createLog({ level, format, write, clock }: LogOptions): Log {
  const least = LEVELS.indexOf(level)
  const line: Log['line'] = (lineLevel, text, extra = {}) => {
    if (LEVELS.indexOf(lineLevel) < least) return
    const time = clock().toISOString()
    if (format === 'json') write(JSON.stringify({ time, level: lineLevel, text, ...extra }))
    else write(`${time} ${lineLevel.padEnd(5)} ${text}${prettyExtra(extra)}`)
  }
  return {
    line,
    observe: (observation) => {
      const { kind, ...rest } = observation
      line(LEVEL_OF[kind], textOf(observation), format === 'json' ? plain(rest) : {})
    },
  }
}

function textOf(observation: Observation): string {
  switch (observation.kind) {
    case 'request':
      return `${observation.method} ${observation.path} ${observation.status} ${Math.round(observation.ms)} ms`
    case 'rpc':
      return `${observation.model}.${observation.method} ${observation.code} ${Math.round(observation.ms)} ms`
    case 'retry':
      return `retry ${observation.attempt}: ${observation.reason}`
    case 'registry':
      return `modules at epoch ${observation.epoch}: ${observation.modules.join(', ') || 'none'}`
    case 'warning':
      return observation.text
    case 'failure':
      return `request ${observation.requestId}: ${storyOf(observation.error)}`
  }
}

/** An outage outside is told in one line per request; where in the code it was noticed says nothing about it. */
const storyOf = (error: unknown): string =>
  error instanceof AppError && error.code === 'UNAVAILABLE' ? chainOf(error) : stackOf(error)

const chainOf = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined
    ? `${error.message} (${chainOf(error.cause)})`
    : error instanceof Error
      ? error.message
      : String(error)

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const stack = error.stack ?? `${error.name}: ${error.message}`
  return error.cause === undefined ? stack : `${stack}\ncaused by ${stackOf(error.cause)}`
}

const plain = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, value instanceof Error ? value.message : value]),
  )

const prettyExtra = (extra: Readonly<Record<string, unknown>>): string =>
  Object.entries(extra)
    .map(([key, value]) => ` ${key}=${String(value)}`)
    .join('')
