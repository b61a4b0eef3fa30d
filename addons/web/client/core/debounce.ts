/** Runs only the last of calls that follow each other within `ms`. */
export interface Debounced<A extends readonly unknown[]> {
  (...args: A): void
  /** Runs a pending call at once. */
  flush(): void
  cancel(): void
}

/** Delay after the last key before a typed search is sent. */
export const TYPEAHEAD_MS = 150

export function debounce<A extends readonly unknown[]>(run: (...args: A) => void, ms: number): Debounced<A> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let waiting: A | undefined
  const flush = () => {
    clearTimeout(timer)
    const args = waiting
    waiting = undefined
    if (args) run(...args)
  }
  const debounced = (...args: A) => {
    waiting = args
    clearTimeout(timer)
    timer = setTimeout(flush, ms)
  }
  return Object.assign(debounced, {
    flush,
    cancel() {
      clearTimeout(timer)
      waiting = undefined
    },
  })
}
