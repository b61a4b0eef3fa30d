import { useEffect, useState } from 'preact/hooks'
import type { Bus } from '../../net/bus.ts'
import { isAbort } from '../../net/errors.ts'
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
    let isGone = false
    const ask = () =>
      void load().then(
        (value) => isGone || setLoaded({ kind: 'there', value }),
        (error) => isGone || isAbort(error) || setLoaded((now) => (now.kind === 'there' ? now : { kind: 'failed' })),
      )
    ask()
    const stop = onChange(services().bus, models, ask)
    return () => {
      isGone = true
      stop()
    }
  }, [])
  return loaded
}

const CHANNELS = ['record.created', 'record.updated', 'record.deleted', 'model.changed'] as const

function onChange(bus: Bus, models: readonly string[], run: () => void): () => void {
  const stops = [
    ...CHANNELS.map((channel) =>
      bus.on(channel, (events: readonly { readonly model: string }[]) => {
        if (events.some(({ model }) => models.includes(model))) run()
      }),
    ),
    bus.on('resync', run),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
