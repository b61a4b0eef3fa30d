import { useEffect, useState } from 'preact/hooks'
import { isAbort } from '../../net/errors.ts'
import { onRecordChanges } from '../../net/record-changes.ts'
import { services } from '../../services.ts'

/** State of a request: pending, done or failed. */
export type Loaded<T> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'there'; readonly value: T }
  | { readonly kind: 'failed' }

const WAITING = { kind: 'waiting' } as const

/** Loads a value, and again when records of these models change. If a later request fails, the previous value stays. */
export function useLoaded<T>(models: readonly string[], load: () => Promise<T>): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>(WAITING)
  useEffect(() => {
    /** Only the answer to the latest request counts, whatever order answers arrive in. */
    let asked = 0
    const ask = () => {
      const own = ++asked
      void load().then(
        (value) => own === asked && setLoaded({ kind: 'there', value }),
        (error) =>
          own !== asked || isAbort(error) || setLoaded((now) => (now.kind === 'there' ? now : { kind: 'failed' })),
      )
    }
    ask()
    const stop = onRecordChanges(services().bus, models, ask)
    return () => {
      asked = -1
      stop()
    }
  }, [])
  return loaded
}
