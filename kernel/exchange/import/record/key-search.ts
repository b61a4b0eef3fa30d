import type { Env } from '../../../env.ts'
import type { Model } from '../../../model/registry.ts'
import { search } from '../../../orm/record/search.ts'
import { LIGHT_SLICE, slicesOf } from '../../../slices.ts'
import type { Column } from '../column/column.ts'

type Values = Readonly<Record<string, unknown>>

/** Keys that one statement looks for, and records that it answers with at most. */
const BATCH = 5_000
const PAGE = 2_000
/** Records that are searched for one key: two are enough to know that the key identifies none of them. */
const MAX_KEY_MATCHES = 5

/**
 * The first records with the key of each of `wanted`, by `keyOf`. A key that very many records share costs one page and not the whole
 * table: it is no longer searched once enough of them are found.
 */
export async function findByKeys(
  env: Env,
  model: Model,
  keys: readonly Column[],
  wanted: readonly Values[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const found = new Map<string, number[]>()
  const distinct = new Map<string, Values>()
  for await (const slice of slicesOf(env, wanted, LIGHT_SLICE))
    for (const values of slice) {
      const key = keyOf(keys, values)
      if (key !== null) distinct.set(key, values)
    }
  for await (const batch of slicesOf(env, [...distinct], BATCH))
    await findBatch(env, model, keys, new Map(batch), found)
  return found
}

async function findBatch(
  env: Env,
  model: Model,
  keys: readonly Column[],
  open: Map<string, Values>,
  found: Map<string, number[]>,
): Promise<void> {
  const names = keys.map(({ field }) => field!.name)
  let after = 0
  while (open.size > 0) {
    const values = [...open.values()]
    const { records } = await search(env, model, {
      domain: [
        ['id', '>', after],
        ...names.map((name) => [name, 'in', [...new Set(values.map((each) => each[name]))]]),
      ],
      fields: names,
      order: 'id',
      archived: 'include',
      limit: PAGE,
      isTrusted: true,
    })
    for (const record of records) {
      const key = keyOf(keys, record)
      if (key === null || !open.has(key)) continue
      const ids = found.get(key) ?? []
      if (ids.push(record['id'] as number) === MAX_KEY_MATCHES) open.delete(key)
      found.set(key, ids)
    }
    if (records.length < PAGE) return
    after = records.at(-1)!['id'] as number
  }
}

/** The key as one text; null when a part of it is empty, so that it identifies nothing. */
export function keyOf(keys: readonly Column[], values: Values): string | null {
  const parts = keys.map(({ field }) => {
    const value = values[field!.name]
    // A many2one is read as [id, name] and written as id.
    const plain = field!.type.comparison === 'many2one' && Array.isArray(value) ? value[0] : value
    return plain === null || plain === undefined ? null : String(plain)
  })
  return parts.includes(null) ? null : JSON.stringify(parts)
}
