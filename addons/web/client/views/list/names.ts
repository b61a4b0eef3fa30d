import { type RecordEntry, services, useEffect, useRef, valuesOf } from '../../sdk.ts'

/** Names of linked records. Those nobody knows yet are asked for, all of one moment in one call, and appear when they come. */
export function useNames(model: string, ids: readonly number[]): readonly (readonly [id: number, name: string])[] {
  const { records, rpc } = services()
  // Held here: the store lets go of entries nobody holds.
  const held = useRef<readonly RecordEntry[]>([])
  held.current = ids.map((id) => records.get(model, id))
  const key = ids.join()

  useEffect(() => {
    const missing = held.current.filter((entry) => nameOf(entry) === undefined).map(({ id }) => id)
    if (missing.length === 0) return
    rpc.read(model, missing, ['display_name']).then(
      (rows) => records.put(model, rows),
      // Hidden from this user: the cell stays without them.
      () => undefined,
    )
  }, [model, key])

  return held.current.flatMap((entry) => {
    const name = nameOf(entry)
    return name === undefined ? [] : [[entry.id, name] as const]
  })
}

function nameOf(entry: RecordEntry): string | undefined {
  const name = valuesOf(entry).value['display_name']
  return typeof name === 'string' ? name : undefined
}
