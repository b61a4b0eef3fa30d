import { type ReadonlySignal, signal, useComputed } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { isAbort } from '../../net/errors.ts'
import { onRecordChanges } from '../../net/record-changes.ts'
import { services } from '../../services.ts'

/** What a view loads; it stays on screen while it is loaded again. */
export interface LiveLoad<T> {
  /** Null until it is there. */
  readonly value: ReadonlySignal<T | null>
  /** Whether the first answer is still to come. */
  readonly isFirst: ReadonlySignal<boolean>
  /** Whether what is on screen belongs to an older question. */
  readonly isStale: ReadonlySignal<boolean>
  /** Why the current question has no answer; a failed refresh after an event is tried again with the next event. */
  readonly error: ReadonlySignal<unknown>
  reload(): void
}

/** Time between two loads that events cause, counted from the end of the first. */
const SPACING_MS = 500

/**
 * Loads when `question` changes, and again when records of the models do: one load at a time, and an answer that is equal to the
 * last one draws nothing. `question` is anything JSON can tell apart.
 */
export function useLiveLoad<T>(
  models: readonly string[],
  question: unknown,
  load: (abort: AbortSignal) => Promise<T>,
): LiveLoad<T> {
  const state = useMemo(() => createLiveLoad<T>(), [])
  const key = JSON.stringify(question)
  useEffect(() => state.ask(key, load), [key])
  useEffect(() => {
    const stop = onRecordChanges(services().bus, models, state.refresh)
    return () => {
      stop()
      state.stop()
    }
  }, [models.join()])
  const isStale = useComputed(() => state.asked.value !== state.answered.value)
  const isFirst = useComputed(() => state.value.value === null && state.error.value === null)
  return { value: state.value, isFirst, isStale, error: state.error, reload: state.reload }
}

function createLiveLoad<T>() {
  const value = signal<T | null>(null)
  const error = signal<unknown>(null)
  /** The question on screen, and the one its value answers. */
  const asked = signal('')
  const answered = signal('')
  let load: ((abort: AbortSignal) => Promise<T>) | null = null
  let abort = new AbortController()
  let text = ''
  let isLoading = false
  let isDue = false
  let timer: ReturnType<typeof setTimeout> | undefined

  async function run(): Promise<void> {
    if (!load) return
    const own = new AbortController()
    abort.abort()
    abort = own
    isLoading = true
    isDue = false
    const key = asked.peek()
    try {
      const found = await load(own.signal)
      if (own.signal.aborted) return
      const fresh = JSON.stringify(found)
      if (fresh !== text || key !== answered.peek()) value.value = found
      text = fresh
      answered.value = key
      error.value = null
    } catch (failure) {
      if (own.signal.aborted || isAbort(failure)) return
      if (key !== answered.peek()) error.value = failure
    }
    isLoading = false
    if (isDue) later()
  }

  const later = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      void run()
    }, SPACING_MS)
  }

  return {
    value,
    error,
    asked,
    answered,
    ask(key: string, next: (abort: AbortSignal) => Promise<T>) {
      load = next
      asked.value = key
      error.value = null
      void run()
    },
    reload() {
      error.value = null
      void run()
    },
    /** Something changed: at once if nothing is under way, otherwise once after it. */
    refresh() {
      isDue = true
      if (!isLoading && timer === undefined) void run()
    },
    stop() {
      abort.abort()
      clearTimeout(timer)
      timer = undefined
    },
  }
}
