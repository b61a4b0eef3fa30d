import { useEffect, useRef } from 'preact/hooks'
import { services } from '../../services.ts'
import { type RecordEntry, valuesOf } from '../../store/records.ts'

export interface Named {
  readonly id: number
  readonly name: string
  /** Index into the palette: the record's own colour, else one of its id; null where colours mean nothing. */
  readonly hue: number | null
}

/** By convention records of models called `….tag` have a colour. */
export const hasColour = (model: string): boolean => model.endsWith('.tag')

/** Names of linked records. Those nobody knows yet are asked for, all of one moment in one call, and appear when they come. */
export function useNames(model: string, ids: readonly number[]): readonly Named[] {
  const { records, rpc } = services()
  // Held here: the store lets go of entries nobody holds.
  const held = useRef<readonly RecordEntry[]>([])
  held.current = ids.map((id) => records.get(model, id))
  const wanted = ids.join()

  useEffect(() => {
    const missing = held.current.filter((entry) => toNamed(entry) === null).map(({ id }) => id)
    if (missing.length === 0) return
    rpc.read(model, missing, hasColour(model) ? ['display_name', 'color'] : ['display_name']).then(
      (rows) => records.put(model, rows),
      // Hidden from this user: they stay unnamed.
      () => undefined,
    )
  }, [model, wanted])

  return held.current.flatMap((entry) => toNamed(entry) ?? [])
}

/** Names of linked records as far as they are known; reads subscribe. */
export const namesOf = (model: string, ids: readonly number[]): readonly string[] =>
  ids.flatMap((id) => toNamed(services().records.get(model, id))?.name ?? [])

function toNamed(entry: RecordEntry): Named | null {
  const { id, model } = entry
  const { display_name: name, color } = valuesOf(entry).value
  if (typeof name !== 'string' || (hasColour(model) && color === undefined)) return null
  return { id, name, hue: hasColour(model) ? (typeof color === 'number' ? color : id) : null }
}

/** Takes a name in that was just chosen or made, so that nobody asks for it. */
export function rememberName(model: string, id: number, name: string): RecordEntry | undefined {
  return services().records.put(model, [{ id, display_name: name }])[0]
}
