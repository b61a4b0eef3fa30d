import { parse as parseIni } from 'ini'
import { SESSION_HOURS } from '../kernel/auth/session.ts'
import { type Mailbox, parseMailbox } from '../kernel/mail/mail-address.ts'
import { mostLikeIn } from '../kernel/model/similar.ts'
import { parseNetwork } from './client-address.ts'
import { dsn, origin, secret } from './setting-forms.ts'

interface Key<T> {
  /** Text of the file or the variable → value. Throws a sentence about what the value must be. */
  readonly parse: (text: string) => T
  /** As written in the file. */
  readonly fallback: string
  readonly help: string
}

const key = <T>(parse: (text: string) => T, fallback: string, help: string): Key<T> => ({ parse, fallback, help })

/** Every setting: `name = value` in the file, `SVC_<NAME>` in the environment. */
export const CONFIG_KEYS = {
  db_dsn: key(dsn, '', 'PostgreSQL server (postgresql://…); empty starts the embedded one in data_dir'),
  db_session_dsn: key(
    dsn,
    '',
    'the server itself where db_dsn is a pooler: for what needs a session, and changes of the schema',
  ),
  db_read_replica_dsn: key(dsn, '', 'read replica that searches may use; empty for none'),
  db_max_open_conns: key(whole(1, 1_000), '20', 'database connections for requests'),
  data_dir: key(given, '.data', 'folder of the embedded server and of generated secrets'),
  http_host: key(given, '127.0.0.1', 'address to listen on'),
  http_port: key(whole(0, 65_535), '8069', 'port to listen on; 0 takes a free one'),
  drain_seconds: key(
    whole(0, 600),
    '5',
    'after SIGTERM the service is not ready for so long before it takes no more requests; 0 for no proxy',
  ),
  public_url: key(origin, '', 'address users see, for links and for the same-origin check (https://erp.example.com)'),
  secret_key: key(secret, '', 'secret of the installation; generated and kept in data_dir when empty'),
  rate_limit_rpm: key(
    whole(0, 1_000_000),
    '600',
    'RPC calls per minute and caller, as many other requests, a tenth of that for sign-ins; 0 for no limit',
  ),
  session_idle_hours: key(whole(1, 8_760), `${SESSION_HOURS.idle}`, 'a session ends after so long without use'),
  session_max_hours: key(whole(1, 8_760), `${SESSION_HOURS.absolute}`, 'a session ends after so long in any case'),
  smtp_host: key(
    text,
    '',
    'mail server, with smtp_from; without any smtp_ setting administrators name it in the client',
  ),
  smtp_port: key(whole(1, 65_535), '587', 'port of the mail server'),
  smtp_secure: key(flag, 'false', 'TLS from the first byte (port 465) instead of STARTTLS'),
  smtp_user: key(text, '', 'account on the mail server'),
  smtp_password: key(text, '', 'its password'),
  smtp_from: key(mailbox, '', 'sender of the mails: erp@example.com, or Name <erp@example.com>'),
  bus_enabled: key(flag, 'true', 'live events over WebSocket'),
  trusted_proxies: key(
    addresses,
    '',
    'proxies whose X-Forwarded-For counts: addresses or networks, with commas between',
  ),
  log_level: key(oneOf('debug', 'info', 'warn', 'error'), 'info', 'least important messages that are logged'),
  log_format: key(oneOf('pretty', 'json'), 'pretty', 'how they are written'),
  trace: key(flag, 'false', 'what each request spends its time on, in the log and in header Server-Timing'),
  otel: key(flag, 'false', 'spans of each request for the OpenTelemetry SDK that the program was started with'),
  addons_path: key(list, '', 'folders with further addons, with commas between'),
  pdf_fonts: key(list, '', 'fonts for characters that Inter lacks in PDF files, with commas between'),
  map_tiles_url: key(tiles, '', 'tiles of the map view, as https://…/{z}/{x}/{y}.png; empty for none'),
} as const

type Keys = typeof CONFIG_KEYS
export type ConfigKey = keyof Keys
export type Config = { readonly [K in ConfigKey]: ReturnType<Keys[K]['parse']> } & {
  /** Where a setting comes from: `svc.ini:4`, or the name of the variable; undefined if it is not given. */
  readonly placeOf: (key: ConfigKey) => string | undefined
  /** The setting and where it comes from, for messages about its value: `svc.ini:4: pdf_fonts`, or the name of the variable. */
  readonly labelOf: (key: ConfigKey) => string
}

/** Settings that stop the start; the message has a line for each, which names place and key. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export interface ConfigSources {
  /** Arguments of the command line; only `--config file` counts here. */
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Text of a file, undefined if there is none. */
  readonly readText: (path: string) => string | undefined
}

const DEFAULT_FILE = 'svc.ini'
const PREFIX = 'SVC_'

/** Settings from the environment, the file and the defaults, in this order of precedence. */
export function loadConfig({ argv, env, readText }: ConfigSources): { config: Config; warnings: string[] } {
  const named = fileArgument(argv)
  const file = named ?? DEFAULT_FILE
  const content = readText(file)
  if (content === undefined && named !== undefined) throw new ConfigError(`${file}: no such file.`)
  const problems: string[] = []
  const entries = readFileEntries(file, content ?? '', problems)
  const warnings: string[] = []
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || !value) continue
    const configKey = name.slice(PREFIX.length).toLowerCase()
    if (isKey(configKey)) entries.set(configKey, { value, place: () => name, at: () => name })
    else warnings.push(`${name} is not a setting and has no effect.${hintAt(configKey, variableOf)}`)
  }
  const config = parseEntries(entries, problems)
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return { config, warnings }
}

/** Settings by name, as in the file, for a program that starts the service itself. */
export type Settings = Readonly<Partial<Record<ConfigKey, string | number | boolean>>>

/** The configuration from such an object alone; missing settings have their defaults. */
export function parseSettings(settings: Settings): Config {
  const problems: string[] = []
  const entries = new Map<ConfigKey, Entry>()
  for (const [name, value] of Object.entries(settings)) {
    if (!isKey(name)) problems.push(`${name} is not a setting.${hintAt(name)}`)
    else if (value !== undefined) entries.set(name, { value: String(value), place: () => name, at: () => name })
  }
  const config = parseEntries(entries, problems)
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return config
}

function fileArgument(argv: readonly string[]): string | undefined {
  for (const [i, argument] of argv.entries()) {
    if (argument.startsWith('--config=')) return argument.slice('--config='.length)
    if (argument !== '--config') continue
    const file = argv[i + 1]
    if (file === undefined) throw new ConfigError('--config needs the name of a file.')
    return file
  }
  return undefined
}

interface Entry {
  readonly value: string
  /** The place of the setting and its name, for messages. */
  readonly place: () => string
  /** The place without the name of the setting. */
  readonly at: () => string
}

const similarTo = mostLikeIn(Object.keys(CONFIG_KEYS))

const variableOf = (key: string): string => PREFIX + key.toUpperCase()

/** A sentence with the setting that is most like an unknown one, as it is written in that place; nothing if none is. */
function hintAt(name: string, written = (key: string) => key): string {
  const meant = similarTo(name)
  return meant === null ? '' : ` Did you mean ${written(meant)}?`
}

const isKey = (name: string): name is ConfigKey => Object.hasOwn(CONFIG_KEYS, name)

/** Neither blank, nor a comment, nor `name = value`: sections too. */
const MALFORMED = /^(?![^\S\n]*(?:[;#]|$))(?![^\S\n]*[^=\s]+[^\S\n]*=).*$/gm

/** The one name that `ini` silently drops. */
const UNREAD = '__proto__'

/** The settings of a file. `ini` reports no line numbers, so they are looked up when somebody asks for one. */
function readFileEntries(file: string, content: string, problems: string[]): Map<ConfigKey, Entry> {
  const text = content.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  for (const { 0: line, index } of text.matchAll(MALFORMED)) {
    const why = line.trimStart().startsWith('[')
      ? 'there are no sections, only "name = value".'
      : 'expected "name = value".'
    problems.push(`${file}:${lineAt(text, index)}: ${why}`)
  }
  // `ini` would not read lines after a section as settings.
  if (problems.length > 0) return new Map()
  // With `bracketedArray: false`, a repeated name has a list of values.
  const values = Object.entries(parseIni(protectMarks(text), { bracketedArray: false }))
  if (linesOf(text, UNREAD).length > 0) values.push([UNREAD, ''])
  const entries = new Map<ConfigKey, Entry>()
  for (const [name, value] of values) {
    const at = (nth = 0) => `${file}:${linesOf(text, name)[nth]}`
    const place = (nth = 0) => `${at(nth)}: ${name}`
    if (!isKey(name)) problems.push(`${place()} is not a setting.${hintAt(name)}`)
    else if (Array.isArray(value)) problems.push(`${place(1)} is set already in line ${linesOf(text, name)[0]}.`)
    else entries.set(name, { value: String(value), place, at })
  }
  return entries
}

/** Escapes `;` and `#` without a space before them: passwords and URLs may contain them, a comment begins after a space. */
const protectMarks = (text: string): string =>
  text.replace(
    /^([^\S\n]*[^=\s;#]+[^\S\n]*=[^\S\n]*)([^\s"'].*)$/gm,
    (_line, start: string, value: string) => start + value.replace(/(?<=\S)[;#]/g, '\\$&'),
  )

/** Numbers of the lines that set a name. */
const linesOf = (text: string, name: string): number[] =>
  [...text.matchAll(/^[^\S\n]*([^=\s;#][^=\s]*)[^\S\n]*=/gm)]
    .filter((line) => line[1] === name)
    .map(({ index }) => lineAt(text, index))

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length

function parseEntries(entries: ReadonlyMap<ConfigKey, Entry>, problems: string[]): Config {
  const parsed = Object.entries(CONFIG_KEYS).map(([name, { parse, fallback }]) => {
    const entry = entries.get(name as ConfigKey)
    if (!entry) return [name, parse(fallback)]
    try {
      return [name, parse(entry.value)]
    } catch (error) {
      problems.push(`${entry.place()} must be ${error instanceof Error ? error.message : 'valid'}.`)
      return [name, undefined]
    }
  })
  const placeOf = (key: ConfigKey) => (entries.get(key)?.value ? entries.get(key)!.at() : undefined)
  const labelOf = (key: ConfigKey) => entries.get(key)?.place() ?? key
  // The table gives each key its own type, which a loop over it cannot keep.
  return Object.freeze({ ...Object.fromEntries(parsed), placeOf, labelOf }) as unknown as Config
}

function text(value: string): string {
  return value
}

function given(value: string): string {
  if (value === '') throw new Error('given')
  return value
}

function whole(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < min || number > max) throw new Error(`a whole number from ${min} to ${max}`)
    return number
  }
}

function flag(value: string): boolean {
  const word = value.toLowerCase()
  if (['true', 'yes', 'on', '1'].includes(word)) return true
  if (['false', 'no', 'off', '0'].includes(word)) return false
  throw new Error('true or false')
}

function oneOf<T extends string>(...words: readonly T[]): (value: string) => T {
  return (value) => {
    const word = words.find((candidate) => candidate === value)
    if (word === undefined) throw new Error(`one of ${words.join(', ')}`)
    return word
  }
}

function list(value: string): readonly string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function tiles(value: string): string {
  const isTemplate = /^https?:$/.test(URL.canParse(value) ? new URL(value).protocol : '')
  if (value !== '' && !(isTemplate && ['{z}', '{x}', '{y}'].every((part) => value.includes(part)))) {
    throw new Error('of the form https://host/{z}/{x}/{y}.png')
  }
  return value
}

function addresses(value: string): readonly string[] {
  const items = list(value)
  if (!items.every((item) => parseNetwork(item) !== null)) {
    throw new Error('IP addresses or networks such as 10.0.0.0/8, with commas between')
  }
  return items
}

/** Null when not set. */
function mailbox(value: string): Mailbox | null {
  if (value === '') return null
  const parsed = parseMailbox(value)
  if (parsed === null) throw new Error('of the form erp@example.com or Name <erp@example.com>')
  return parsed
}
