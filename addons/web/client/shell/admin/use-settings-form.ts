import { useEffect, useRef, useState } from 'preact/hooks'
import { CallError, isCancelled } from '../../net/errors.ts'
import { showError } from '../../ui/toasts.tsx'

type Problems = Readonly<Record<string, string>>

/** Entered values over stored ones, and problems by field. */
export interface SettingsForm<T> {
  readonly typed: Partial<T>
  readonly problems: Problems
  readonly isBusy: boolean
  /** Saved, but not loaded again yet: the entered values stay in the fields and count as stored. */
  readonly isSaved: boolean
  change(more: Partial<T>): void
  discard(): void
  setProblems(problems: Problems): void
  /** Shows a refusal at its fields, otherwise as a message. */
  refuse(error: unknown): void
  /** Runs a save, one at a time. */
  store(save: () => Promise<void>): Promise<void>
}

/** A form over `stored`, which is loaded again after a save. */
export function useSettingsForm<T extends object>(stored: unknown): SettingsForm<T> {
  const [typed, setTyped] = useState<Partial<T>>({})
  const [problems, setProblems] = useState<Problems>({})
  const [isBusy, setBusy] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const discard = () => {
    setTyped({})
    setProblems({})
  }
  useEffect(() => {
    if (isSaved) discard()
    setSaved(false)
  }, [stored])
  // The save button is disabled now and would lose the focus.
  const place = useRef<HTMLFormElement | null>(null)
  useEffect(() => {
    const { activeElement: now, body } = document
    if (isSaved && (now === body || now?.matches(':disabled')))
      place.current?.querySelector<HTMLElement>('.input:enabled')?.focus()
  }, [isSaved])

  function refuse(error: unknown): void {
    const fields = error instanceof CallError ? error.fields : {}
    setProblems(fields)
    if (!isCancelled(error) && Object.keys(fields).length === 0) showError(error)
  }
  return {
    ...{ typed, problems, isBusy, isSaved, discard, setProblems, refuse },
    change(more) {
      setTyped((now) => ({ ...now, ...more }))
      setProblems({})
    },
    async store(save) {
      if (isBusy) return
      place.current = document.activeElement?.closest('form') ?? null
      setBusy(true)
      try {
        await save()
        setSaved(true)
      } catch (error) {
        refuse(error)
      } finally {
        setBusy(false)
      }
    },
  }
}
