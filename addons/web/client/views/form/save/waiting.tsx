import { useEffect, useState } from 'preact/hooks'
import { t } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import type { FormModel } from '../model/model.ts'

/** A save that takes longer than this shows why. */
const LATE_MS = 2_000

interface SaveState {
  readonly isOnline: boolean
  readonly isLate: boolean
}

/** Texts of a save without an answer by state; the first that applies is shown. See `retry.ts` for how long it waits. */
const WORDS: readonly { readonly applies: (state: SaveState) => boolean; readonly words: () => string }[] = [
  { applies: ({ isOnline }) => !isOnline, words: () => t('Waiting for the connection') },
  { applies: ({ isLate }) => isLate, words: () => t('The server is busy, trying again') },
]

/** Shown in the bar while a save is running; when it shows a reason for waiting, the save can be discarded. */
export function Waiting({ form, otherwise }: { readonly form: FormModel; readonly otherwise: string }) {
  const [isLate, setLate] = useState(false)
  const isOnline = services().session.online.value
  const found = WORDS.find(({ applies }) => applies({ isOnline, isLate }))
  const isWaiting = found !== undefined
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    form.isWaiting.value = isWaiting
    return () => {
      form.isWaiting.value = false
    }
  }, [isWaiting])
  return <>{found?.words() ?? otherwise}</>
}
