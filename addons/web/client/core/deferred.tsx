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
    loading = Promise.resolve(value)
    loaded.value = value
    return value
  }
  const fail = (error: unknown): never => {
    loading = null
    throw error
  }
  // The signal itself, so that `value` and `peek` are its own.
  return Object.assign(loaded, { provide, load: () => (loading ??= load().then(provide, fail)) })
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
    const Component = loaded === null ? Placeholder : pick(loaded)
    return <Component {...props} />
  }
}
