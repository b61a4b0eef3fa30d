import { services } from '../../../services.ts'
import { writeRecords } from '../../../store/queries.ts'
import { partsOf } from './parts-of.ts'

/** Reads what fields of records hold now. Returns what writes it back, each record its own. */
export async function rememberValues(
  model: string,
  ids: readonly number[],
  names: readonly string[],
): Promise<() => Promise<void>> {
  const { rpc } = services()
  const before = new Map<string, number[]>()
  for (const part of partsOf(ids)) {
    for (const row of await rpc.read(model, part, names)) {
      const key = JSON.stringify(Object.fromEntries(names.map((name) => [name, writtenValue(row[name])])))
      before.set(key, [...(before.get(key) ?? []), row.id])
    }
  }
  return async () => {
    for (const [values, these] of before)
      for (const part of partsOf(these)) await writeRecords(rpc, model, part, JSON.parse(values))
  }
}

/** A value as it is written: a link comes as a pair. */
const writtenValue = (value: unknown): unknown =>
  Array.isArray(value) && typeof value[1] === 'string' ? value[0] : value
