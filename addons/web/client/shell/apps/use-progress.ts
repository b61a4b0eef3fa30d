import { useEffect, useState } from 'preact/hooks'
import type { WireModuleProgress } from '../../../../../kernel/module/wire-modules.ts'
import { getJson } from '../../net/json-routes.ts'

/** Pause between two requests for the progress of a change. */
const PAUSE_MS = 500

/** The progress of the running change of modules; null while it is not known. Only a change that loads modules has steps. */
export function useProgress(hasSteps: boolean): WireModuleProgress | null {
  const [progress, setProgress] = useState<WireModuleProgress | null>(null)
  useEffect(() => {
    if (!hasSteps) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const abort = new AbortController()
    const look = () => {
      getJson<WireModuleProgress | null>('/web/module/progress', abort.signal).then(
        (found) => {
          setProgress(found !== null && found.total > 0 ? found : null)
          timer = setTimeout(look, PAUSE_MS)
        },
        // The change itself reports errors.
        () => undefined,
      )
    }
    timer = setTimeout(look, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [hasSteps])
  return progress
}
