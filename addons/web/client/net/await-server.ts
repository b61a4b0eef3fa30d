import { effect, type Signal } from '@preact/signals'

export interface AwaitPorts {
  /** Whether the server answers. */
  ask(): Promise<boolean>
  /** Returns a function that stops it. */
  setTimer(run: () => void, ms: number): () => void
}

const FIRST_MS = 1_000
/** At first the server is polled often, since it is usually back after a short time. */
const SOON_TRIES = 20
const SOON_MS = 3_000
const MAX_PAUSE_MS = 5_000

/** Polls a server that cannot be reached, less often after a while, because the browser only reports its own network. */
export function awaitServer(online: Signal<boolean>, { ask, setTimer }: AwaitPorts): () => void {
  return effect(() => {
    if (online.value) return
    let stop = () => {}
    const later = (tries: number) => {
      stop = setTimer(
        async () => {
          if (await ask()) online.value = true
          else if (!online.peek()) later(tries + 1)
        },
        Math.min(FIRST_MS * 2 ** tries, tries < SOON_TRIES ? SOON_MS : MAX_PAUSE_MS),
      )
    }
    later(0)
    return () => stop()
  })
}
