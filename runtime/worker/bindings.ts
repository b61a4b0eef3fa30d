import { SESSION_HOURS } from '../../kernel/auth/session.ts'
import type { Services } from '../../kernel/services.ts'
import { dsn, origin, secret } from '../setting-forms.ts'
import type { AssetsBinding } from './client.ts'

/** Settings of the worker, as bindings. Each means what the setting of a process with the same name does. */
export interface WorkerBindings {
  readonly DB_DSN: string
  readonly SECRET_KEY: string
  readonly PUBLIC_URL?: string
  readonly RATE_LIMIT_RPM?: string
  readonly SESSION_IDLE_HOURS?: string
  readonly SESSION_MAX_HOURS?: string
  readonly MAP_TILES_URL?: string
  /** The token that the set-up page asks for, 16 to 100 characters; without it a database cannot be set up over HTTP. */
  readonly SETUP_TOKEN?: string
  /** The files of the web client; without it there is none. */
  readonly ASSETS?: AssetsBinding
}

/** Bindings that must be valid for the service to work, with the parsers of the settings. */
const FORMS = [
  { name: 'DB_DSN', form: dsn, isRequired: true },
  { name: 'SECRET_KEY', form: secret, isRequired: true },
  { name: 'PUBLIC_URL', form: origin, isRequired: false },
] as const

/** Why the service cannot work with these bindings, for the operator; null if it can. */
export function bindingProblem(bindings: Partial<WorkerBindings>): string | null {
  for (const { name, form, isRequired } of FORMS) {
    const value = bindings[name] ?? ''
    if (isRequired && value === '') return `The binding ${name} is missing.`
    try {
      form(value)
    } catch (error) {
      return `The binding ${name} must be ${(error as Error).message}.`
    }
  }
  return null
}

/** Used instead of invalid bindings: no query is sent to this database. */
export const NO_BINDINGS: WorkerBindings = { DB_DSN: 'postgresql://none', SECRET_KEY: '' }

/** A number from a binding; an invalid one gives the fallback and never means no limit. */
const whole = (text: string | undefined, fallback: number, least: number, most: number): number => {
  const number = /^\d{1,9}$/.test(text ?? '') ? Number(text) : fallback
  return number >= least && number <= most ? number : fallback
}

export const rpmOf = ({ RATE_LIMIT_RPM: text }: WorkerBindings): number => whole(text, 600, 0, 9_999_999)

/** The services that depend on settings. */
export const settingsOf = (
  bindings: WorkerBindings,
): Pick<Services, 'publicUrl' | 'sessionHours' | 'mapTilesUrl' | 'setup'> => ({
  publicUrl: origin(bindings.PUBLIC_URL ?? ''),
  sessionHours: {
    idle: whole(bindings.SESSION_IDLE_HOURS, SESSION_HOURS.idle, 1, 8_760),
    absolute: whole(bindings.SESSION_MAX_HOURS, SESSION_HOURS.absolute, 1, 8_760),
  },
  ...(bindings.MAP_TILES_URL && { mapTilesUrl: bindings.MAP_TILES_URL }),
  ...setupOf(bindings),
})

/** A worker is reachable from anywhere, so the set-up needs a token; one that is too short counts as none. */
function setupOf({ SETUP_TOKEN: token = '' }: WorkerBindings): Pick<Services, 'setup'> {
  return token.length >= 16 && token.length <= 100 ? { setup: { token, isLocal: false } } : {}
}
