import type { Registry } from '../../model/registry.ts'
import { hintsAt } from '../../model/similar.ts'
import type { ViewType } from '../arch/arch.ts'
import { knownAttributes } from '../arch/known-attributes.ts'
import { knownWidgets } from '../arch/known-widgets.ts'

/** Known names, and hints for unknown ones that are similar. */
export interface KnownNames {
  has(name: string): boolean
  hint(name: string): string
}

const namesOf = (known: ReadonlySet<string>): KnownNames => ({ has: (name) => known.has(name), hint: hintsAt(known) })

/** The known names of the view language; each list is made once for a check of many elements. */
export class Vocabulary {
  readonly #registry: Registry
  readonly #made = new Map<string, KnownNames>()

  constructor(registry: Registry) {
    this.#registry = registry
  }

  attributes(type: ViewType, tag: string, isRoot: boolean): KnownNames {
    return this.#once(`${type} ${tag} ${isRoot}`, () => knownAttributes(this.#registry, type, tag, isRoot))
  }

  widgets(): KnownNames {
    return this.#once('widgets', () => knownWidgets(this.#registry))
  }

  #once(key: string, make: () => ReadonlySet<string>): KnownNames {
    const known = this.#made.get(key) ?? namesOf(make())
    this.#made.set(key, known)
    return known
  }
}
