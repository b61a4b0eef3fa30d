import { readFiles } from '../data/read.ts'
import { readParam } from '../param.ts'
import type { Db } from '../sql/database.ts'
import type { Addon } from './addon.ts'
import { findNamedRecords, hashOf, isOurs, type Loaded, loadedKey } from './load-data.ts'

/** What would happen to a record of a data file; keep: a user has changed it, so it stays as it is. */
export type DataFate = 'add' | 'change' | 'keep' | 'remove'

export type DataPlan = ReadonlyMap<string, Readonly<Record<DataFate, number>>>

/** What loading the data files of an addon would do to records, by model. Reads only. */
export async function planData(
  db: Db,
  { name, data }: Addon,
  tableOf: (model: string) => string | undefined,
): Promise<DataPlan> {
  const { records } = readFiles(name, data)
  const before = await readParam<Loaded>(db, loadedKey(name), {})
  const named = new Set(records.map(({ xmlid }) => xmlid))
  const known = await findNamedRecords(db, [...named, ...Object.keys(before)], tableOf)
  const plan = new Map<string, Record<DataFate, number>>()
  const count = (model: string, fate: DataFate) => {
    const counts = plan.get(model) ?? { add: 0, change: 0, keep: 0, remove: 0 }
    counts[fate] += 1
    plan.set(model, counts)
  }
  for (const record of records) {
    if (before[record.xmlid] === hashOf(record)) continue
    const found = known.get(record.xmlid)
    count(record.model, found === undefined ? 'add' : isOurs(found) ? 'change' : 'keep')
  }
  for (const xmlid of Object.keys(before)) {
    const found = known.get(xmlid)
    if (!named.has(xmlid) && found !== undefined) count(found.model, isOurs(found) ? 'remove' : 'keep')
  }
  return plan
}
