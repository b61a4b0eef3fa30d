import type { Env, Principal } from '../../env.ts'
import type { KernelState } from '../../services.ts'

/** Limits per caller: the number of parts and the length of their texts. Beyond them all parts are dropped. There are up to `MAX_KNOWN` callers. */
const MAX_PARTS = 64
const MAX_CHARS = 64 * 1_024

/** A part of a statement that is built from an env. */
export interface Part {
  /** The part as text; different parts have different texts. */
  readonly print: () => string
}

/**
 * Parts of statements that depend on the caller and not on the values of a request: columns, order, rules. They are kept for one principal
 * with one registry and one state of the access tables, and only an env with these uses them. Every request checks the principal and the
 * epoch of the rights, so a part is never older than the rights. A part that depends on the time is not kept.
 */
export class KeptParts {
  readonly #user: Principal
  readonly #state: Pick<KernelState, 'registry' | 'access'>
  readonly #parts = new Map<string, Part>()
  #chars = 0

  constructor(user: Principal, state: Pick<KernelState, 'registry' | 'access'>) {
    this.#user = user
    this.#state = state
  }

  get size(): number {
    return this.#parts.size
  }

  /** `key` names everything that `make` depends on besides its env. */
  take<T extends Part>(env: Env, key: string, make: (env: Env) => T): T {
    const { registry, access } = this.#state
    if (env.isSudo || env.user !== this.#user || env.registry !== registry || env.access !== access) return make(env)
    const whole = `${env.lang} ${env.tz} ${key}`
    const kept = this.#parts.get(whole)
    if (kept) return kept as T
    const part = make(env)
    const print = part.print()
    if (print.length > MAX_CHARS || make(atAnotherTime(env)).print() !== print) return part
    if (this.#parts.size >= MAX_PARTS || this.#chars + print.length > MAX_CHARS) {
      this.#parts.clear()
      this.#chars = 0
    }
    this.#parts.set(whole, part)
    this.#chars += print.length
    return part
  }
}

/** Far enough to be another day, month and year in any time zone, and another hour. */
const FAR_MS = (400 * 24 + 5) * 3_600_000

const atAnotherTime = (env: Env): Env => ({ ...env, now: new Date(env.now.getTime() + FAR_MS) })

/** The part that is kept for the caller; otherwise a new one. */
export const keepPart = <T extends Part>(env: Env, key: string, make: (env: Env) => T): T =>
  env.parts ? env.parts.take(env, key, make) : make(env)
