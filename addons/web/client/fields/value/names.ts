import { useEffect, useRef } from 'preact/hooks'
import { services } from '../../services.ts'
import { type RecordEntry, valuesOf } from '../../store/records.ts'

export interface Named {
  readonly id: number
  readonly name: string
  /** Index into the palette: the record's own colour, or one derived from its id; null for models without colours. */
  readonly hue: number | null
}

/** By convention records of models called `….tag` have a colour. */
const hasColour = (model: string): boolean => model.endsWith('.tag')

/** Names of linked records. Unknown names are fetched, several in one call, and the component is drawn again when they arrive. */
export function useNames(model: string, ids: readonly number[]): readonly Named[] {
  const { records, rpc } = services()
  // Keeps a reference: the store drops entries that nothing refers to.
  const held = useRef<readonly RecordEntry[]>([])
  held.current = ids.map((id) => records.get(model, id))
  const wanted = ids.join()

  useEffect(() => {
    const missing = held.current.filter((entry) => toNamed(entry) === null).map(({ id }) => id)
    if (missing.length === 0) return
    rpc.read(model, missing, hasColour(model) ? ['display_name', 'color'] : ['display_name']).then(
      (rows) => records.put(model, rows),
      // Records the user may not read stay without a name.
      () => undefined,
    )
  }, [model, wanted])

  return held.current.flatMap((entry) => toNamed(entry) ?? [])
}

/** Names of linked records that are already loaded; reading subscribes to changes. */
export const namesOf = (model: string, ids: readonly number[]): readonly string[] =>
  ids.flatMap((id) => toNamed(services().records.get(model, id))?.name ?? [])

function toNamed(entry: RecordEntry): Named | null {
  const { id, model } = entry
  const { display_name: name, color } = valuesOf(entry).value
  if (typeof name !== 'string' || (hasColour(model) && color === undefined)) return null
  return { id, name, hue: hasColour(model) ? (typeof color === 'number' ? color : id) : null }
}

/** Stores the name of a record that was just chosen or created, so that it is not fetched again. */
export function rememberName(model: string, id: number, name: string): RecordEntry | undefined {
  return services().records.put(model, [{ id, display_name: name }])[0]
}
