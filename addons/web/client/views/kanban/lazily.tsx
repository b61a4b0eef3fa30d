import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'

/** A part of the board in a chunk of its own; nothing is drawn until it is there. */
export function lazily<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const loaded = signal<ComponentType<P> | null>(null)
  return function Lazy(props: P) {
    useEffect(() => {
      if (loaded.peek()) return
      // Without the network nothing can be made either; the next try loads it again.
      load().then(
        (component) => {
          loaded.value = component
        },
        () => undefined,
      )
    }, [])
    const Part = loaded.value
    return Part && <Part {...props} />
  }
}
