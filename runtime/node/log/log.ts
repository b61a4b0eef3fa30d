import { AppError, type ErrorCode } from '../../../kernel/errors.ts'
import { CALLER_LEFT, type Observation, type Observe } from '../../../kernel/observation.ts'
import { redact } from '../../redact.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface LogOptions {
  readonly level: LogLevel
  readonly format: 'pretty' | 'json'
  readonly write: WriteLine
  readonly clock: () => Date
}

/** Takes one line; must not throw. */
export interface WriteLine {
  (line: string): void
  /** Number of lines left out so far, if known. */
  lost?(): number
}

/** One line of the log, secrets removed. */
export interface LogEntry {
  readonly time: Date
  readonly level: LogLevel
  /** The part of the program that logs it. */
  readonly source: string
  readonly text: string
  /** Null for entries that no request caused. */
  readonly requestId: string | null
  readonly userId: number | null
  readonly fields: LogFields
  /** Where in the code an error arose, and its causes. */
  readonly stack: string | null
}

/** Facts of an entry by name; values of users are never among them. */
export type LogFields = Readonly<Record<string, string | number>>

export interface Log {
  readonly observe: Observe
  line(level: LogLevel, text: string, fields?: LogFields): void
  /** Passes every further entry to `keep` too, which must neither throw nor wait. */
  keepIn(keep: (entry: LogEntry) => void): void
  /** Number of lines that the output did not take so far. */
  lost(): number
}

type LogDraft = Pick<LogEntry, 'level' | 'text'> & Partial<Omit<LogEntry, 'level' | 'text' | 'time'>>

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

const MAX_CHARS = 8_192

/** Log lines of one process: text for people, or one JSON object per line for machines. */
export function createLog({ level, format, write, clock }: LogOptions): Log {
  const least = LEVELS.indexOf(level)
  const keepers: ((entry: LogEntry) => void)[] = []
  const add = (draft: LogDraft): void => {
    if (LEVELS.indexOf(draft.level) < least) return
    const entry = cleanEntry(draft, clock())
    write(format === 'json' ? jsonLine(entry) : prettyLine(entry))
    for (const keep of keepers) keep(entry)
  }
  return {
    line: (lineLevel, text, fields = {}) => add({ level: lineLevel, text, fields }),
    observe(observation) {
      // Every call makes such an observation; most are below the log level, so skip them early.
      if (observation.kind === 'rpc' && least > 0) return
      if (observation.kind === 'request' && LEVELS.indexOf(requestLevel(observation)) < least) return
      add(draftOf(observation))
    },
    keepIn: (keep) => void keepers.push(keep),
    lost: () => write.lost?.() ?? 0,
  }
}

/** Every entry passes here: texts that a caller may have influenced are cleaned of secrets and control characters. */
function cleanEntry(
  { level, source = 'service', text, requestId = null, userId = null, fields = {}, stack = null }: LogDraft,
  time: Date,
): LogEntry {
  const clean = (value: string) => redact(value).slice(0, MAX_CHARS)
  return {
    time,
    level,
    source,
    text: clean(text),
    requestId: requestId === null ? null : clean(requestId),
    userId,
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? clean(value) : value]),
    ),
    stack: stack === null ? null : clean(stack),
  }
}

const SLOW_MS = 1_000

/** The level, text and fields with which an observation is logged. */
function draftOf(observation: Observation): LogDraft {
  switch (observation.kind) {
    case 'request': {
      const { requestId, method, path, status, ms, userId, code, timing } = observation
      return {
        source: observation.kind,
        level: requestLevel(observation),
        text: `${method} ${path} ${status === CALLER_LEFT ? 'client left after' : status} ${Math.round(ms)} ms${timing === undefined ? '' : ` (${timing})`}`,
        requestId,
        userId,
        fields: {
          method,
          path,
          status,
          ms: Math.round(ms),
          ...(code !== null && { code }),
          ...(timing !== undefined && { timing }),
        },
      }
    }
    case 'rpc': {
      const { requestId, model, method, code, ms } = observation
      const text = `${model}.${method} ${code} ${Math.round(ms)} ms`
      return {
        source: observation.kind,
        level: 'debug',
        text,
        requestId,
        fields: { model, method, code, ms: Math.round(ms) },
      }
    }
    case 'retry':
      return {
        source: observation.kind,
        level: 'debug',
        text: `retry ${observation.attempt}: ${observation.reason}`,
        requestId: observation.requestId,
      }
    case 'registry': {
      const { epoch, modules } = observation
      return {
        source: observation.kind,
        level: 'info',
        text: `modules at epoch ${epoch}: ${modules.join(', ') || 'none'}`,
      }
    }
    case 'replica':
      return { source: observation.kind, level: 'debug', text: `replica ${observation.outcome}` }
    case 'warning':
      return { source: observation.kind, level: 'warn', text: observation.text }
    case 'job': {
      const { requestId, id, name, outcome, ms, error } = observation
      const text = `job "${name}" ${outcome} after ${Math.round(ms)} ms${error === null ? '' : `: ${error}`}`
      return {
        source: observation.kind,
        level: JOB_LEVEL[outcome],
        text,
        requestId,
        fields: { id, ms: Math.round(ms) },
      }
    }
    case 'mail': {
      const { requestId, id, outcome, attempts, error } = observation
      const text = `mail ${id} ${outcome}${error === null ? '' : `: ${error}`}`
      return { source: observation.kind, level: MAIL_LEVEL[outcome], text, requestId, fields: { id, attempts } }
    }
    case 'bus': {
      const { messages, ms } = observation
      return { source: observation.kind, level: 'debug', text: `${messages} messages after ${Math.round(ms)} ms` }
    }
    case 'sockets':
      return { source: observation.kind, level: 'debug', text: `${observation.open} sockets open` }
    case 'failure':
      return failureDraft(observation)
  }
}

const JOB_LEVEL: Readonly<Record<(Observation & { kind: 'job' })['outcome'], LogLevel>> = {
  done: 'debug',
  failed: 'warn',
  lost: 'warn',
}

const MAIL_LEVEL: Readonly<Record<(Observation & { kind: 'mail' })['outcome'], LogLevel>> = {
  queued: 'debug',
  sent: 'info',
  deferred: 'warn',
  failed: 'error',
  unknown: 'error',
}

/** Paths that load balancers and monitors request all the time; they are logged at level debug only. */
const PROBES: ReadonlySet<string> = new Set(['/api/health', '/api/ready', '/metrics'])

function requestLevel({ path, status, ms, code, timing }: Extract<Observation, { kind: 'request' }>): LogLevel {
  // A request that asked for its timing is being measured, so its line is wanted.
  const usual = timing === undefined ? 'debug' : 'info'
  // The failure behind such a refusal has a line already.
  if (PROBES.has(path) || code === 'UNAVAILABLE') return usual
  // A form cancels requests that further typing has made useless, many times a minute.
  if (status === CALLER_LEFT) return ms >= SLOW_MS ? 'info' : usual
  if (ms >= SLOW_MS) return 'warn'
  return status >= 400 ? 'info' : usual
}

/** An `UNAVAILABLE` error is logged without its stack, which would not explain it, and with the route: the request gets no line of its own. */
function failureDraft({ kind: source, requestId, error, route }: Observation & { kind: 'failure' }): LogDraft {
  const draft = { source, level: 'error', requestId } as const
  const code: ErrorCode = error instanceof AppError ? error.code : 'INTERNAL'
  const text = chainOf(error)
  if (code !== 'UNAVAILABLE') return { ...draft, text, fields: { code }, stack: stackOf(error) }
  if (route === undefined) return { ...draft, text, fields: { code } }
  return { ...draft, text: `${route} refused: ${text}`, fields: { code, route } }
}

const chainOf = (error: unknown): string =>
  !(error instanceof Error)
    ? String(error)
    : error.cause === undefined
      ? error.message
      : `${error.message} (${chainOf(error.cause)})`

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const stack = error.stack ?? `${error.name}: ${error.message}`
  return error.cause === undefined ? stack : `${stack}\ncaused by ${stackOf(error.cause)}`
}

const jsonLine = ({ time, level, source, text, requestId, userId, fields, stack }: LogEntry): string =>
  JSON.stringify({
    time: time.toISOString(),
    level,
    source,
    text,
    ...(requestId !== null && { requestId }),
    ...(userId !== null && { userId }),
    ...fields,
    ...(stack !== null && { stack }),
  })

/** Text after a line break is indented, so that it cannot pass for another log line. */
function prettyLine({ time, level, text, requestId, userId, stack }: LogEntry): string {
  const about = `${requestId === null ? '' : ` request=${requestId}`}${userId === null ? '' : ` user=${userId}`}`
  const lines = [`${text}${about}`, ...(stack === null ? [] : [stack])].join('\n').replaceAll('\n', '\n  ')
  return `${time.toISOString()} ${level.padEnd(5)} ${lines}`
}
