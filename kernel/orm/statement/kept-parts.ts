import type { Env, Principal } from '../../env.ts'
import type { KernelState } from '../../services.ts'

/** Parts of one caller at most, and what they print together; then it starts over. `MAX_KNOWN` callers may have so many. */
const MAX_PARTS = 16
const MAX_CHARS = 64 * 1_024

/** Something that is built from an env. */
export interface Part {
  /** Differs from that of another part. */
  readonly print: () => string
}

/**
 * Parts of statements that depend on who asks, and not on what a request brings: columns, order, rules. They belong to one principal and
 * one state of the service, and are taken by an env of both alone. So they are as old as the principal, whom every request proves anew
 * together with the epoch of the rights. A part that depends on the time is not kept.
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

  /** `key` names all that `make` depends on beside its env. */
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

/** A part as it was kept for the caller, or made for this request. */
export const keepPart = <T extends Part>(env: Env, key: string, make: (env: Env) => T): T =>
  env.parts ? env.parts.take(env, key, make) : make(env)
