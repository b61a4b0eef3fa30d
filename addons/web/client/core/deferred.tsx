import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'

/** Code that the first paint does not need. It is loaded afterwards, or when it is first used. */
export interface Deferred<T> {
  /** Null until it is loaded; a component that reads it is drawn again then. */
  readonly value: T | null
  /** The value without subscribing to it. */
  peek(): T | null
  /** Loads it once; after a failure the next call tries again. */
  load(): Promise<T>
  /** Called by code that was loaded in another way, as part of a larger chunk. */
  provide(loaded: T): void
}

export function deferred<T>(load: () => Promise<T>): Deferred<T> {
  const loaded = signal<T | null>(null)
  let loading: Promise<T> | null = null
  const provide = (value: T): T => {
    loaded.value = value
    return value
  }
  return {
    get value() {
      return loaded.value
    },
    peek: () => loaded.peek(),
    load() {
      const known = loaded.peek()
      if (known !== null) return Promise.resolve(known)
      loading ??= load().then(provide, (error: unknown) => {
        loading = null
        throw error
      })
      return loading
    },
    provide,
  }
}

/** A component in a chunk that is loaded when it is first drawn; until then the placeholder is shown. */
export function deferredComponent<T, P extends object>(
  chunk: Deferred<T>,
  pick: (loaded: T) => ComponentType<P>,
  Placeholder: ComponentType = () => null,
): ComponentType<P> {
  return function DeferredComponent(props: P) {
    useEffect(() => {
      // Without a network the placeholder stays; the next one that is drawn tries again.
      chunk.load().catch(() => undefined)
    }, [])
    const loaded = chunk.value
    if (loaded === null) return <Placeholder />
    const Component = pick(loaded)
    return <Component {...props} />
  }
}
