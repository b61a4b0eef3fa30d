import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { isAbort } from '../../net/errors.ts'
import { getJson } from '../../net/json-routes.ts'
import { onRecordChanges } from '../../net/record-changes.ts'
import { services } from '../../services.ts'

export interface Asked<T> {
  /** The last answer; it stays while a newer one is loaded. */
  readonly value: T | null
  readonly error: unknown
  readonly isLoading: boolean
  reload(): void
}

/** The answer of an address, loaded again when the address or records of these models change. */
export function useAsked<T>(path: string | null, models: readonly string[] = []): Asked<T> {
  const [state, setState] = useState<Omit<Asked<T>, 'reload'>>({ value: null, error: null, isLoading: true })
  const abort = useRef<AbortController>(null)
  const reload = useCallback(() => {
    abort.current?.abort()
    if (path === null) return setState({ value: null, error: null, isLoading: false })
    const own = new AbortController()
    abort.current = own
    setState((now) => ({ ...now, isLoading: true }))
    getJson<T>(path, own.signal).then(
      (value) => own.signal.aborted || setState({ value, error: null, isLoading: false }),
      (error) => own.signal.aborted || isAbort(error) || setState((now) => ({ ...now, error, isLoading: false })),
    )
  }, [path])
  useEffect(() => {
    reload()
    const stop = models.length === 0 ? () => {} : onRecordChanges(services().bus, models, reload)
    return () => {
      stop()
      abort.current?.abort()
    }
  }, [reload])
  return { ...state, reload }
}
