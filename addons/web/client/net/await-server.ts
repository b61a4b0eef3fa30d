import { effect, type Signal } from '@preact/signals'

export interface AwaitPorts {
  /** Whether the server answers. */
  ask(): Promise<boolean>
  /** Returns a function that stops it. */
  setTimer(run: () => void, ms: number): () => void
}

const FIRST_MS = 1_000
const LONGEST_MS = 30_000

/** Polls a server that cannot be reached, less and less often, because the browser only reports its own network. */
export function awaitServer(online: Signal<boolean>, { ask, setTimer }: AwaitPorts): () => void {
  return effect(() => {
    if (online.value) return
    let stop = () => {}
    const later = (ms: number) => {
      stop = setTimer(async () => {
        if (await ask()) online.value = true
        else if (!online.peek()) later(Math.min(ms * 2, LONGEST_MS))
      }, ms)
    }
    later(FIRST_MS)
    return () => stop()
  })
}
