import { signal } from '@preact/signals'

/** Code nobody needs for the first picture. */
export interface Late<T> {
  /** Null until it is there; reading it in a component draws the component again then. */
  readonly value: T | null
  /** Asks for it; what failed is asked for again. */
  want(): Promise<T>
}

export function late<T>(load: () => Promise<T>): Late<T> {
  const loaded = signal<T | null>(null)
  let asked: Promise<T> | null = null
  return {
    get value() {
      return loaded.value
    },
    want() {
      asked ??= load().then(
        (module) => {
          loaded.value = module
          return module
        },
        (error: unknown) => {
          asked = null
          throw error
        },
      )
      return asked
    },
  }
}
