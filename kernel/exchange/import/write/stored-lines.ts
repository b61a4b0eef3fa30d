import { mayUseModel } from '../../../access/acl.ts'
import type { Env } from '../../../env.ts'
import type { Model } from '../../../model/registry.ts'
import { search } from '../../../orm/record/search.ts'
import { readStoredTexts } from '../../../orm/record/stored-texts.ts'
import { modelOf } from '../../../orm/statement/scope.ts'
import type { ImportRecord, Line } from '../record/record.ts'
import { differing } from './differing.ts'

/** The values of a line that differ from the stored ones; all of them if the caller can read no such line of this record. */
export type LineChanges = (recordId: number, name: string, line: Line) => Readonly<Record<string, unknown>>

/** Reads the lines that records of a file name by their ids, to find what the file changes of them. */
export async function lineChanges(env: Env, model: Model, records: readonly ImportRecord[]): Promise<LineChanges> {
  const stored = new Map<string, Awaited<ReturnType<typeof readLines>>>()
  for (const name of new Set(records.flatMap(({ lines }) => [...lines.keys()]))) {
    const named = records.flatMap(({ lines }) => (lines.get(name) ?? []).filter(({ id }) => id !== null))
    stored.set(name, await readLines(env, model, name, named))
  }
  return (recordId, name, { id, values }) => {
    const { target, inverse, rows, texts } = stored.get(name)!
    const row = id === null ? undefined : rows.get(id)
    if ((row?.[inverse] as readonly [number] | null | undefined)?.[0] !== recordId) return values
    return differing(env, target, values, row!, texts.get(id!)).changed
  }
}

async function readLines(env: Env, model: Model, name: string, named: readonly Line[]) {
  const relation = model.fields.get(name)!.relation as { readonly target: string; readonly inverse: string }
  const target = modelOf(env, relation.target)
  const ids = named.map(({ id }) => id!)
  const fields = [...new Set([relation.inverse, ...named.flatMap(({ values }) => Object.keys(values))])]
  const isReadable = ids.length > 0 && mayUseModel(env, target.name, 'read')
  const { records } = isReadable
    ? await search(env, target, { domain: [['id', 'in', ids]], fields, archived: 'include', isTrusted: true })
    : { records: [] }
  const texts = isReadable ? await readStoredTexts(env, target, ids, fields) : new Map<number, never>()
  return { target, inverse: relation.inverse, texts, rows: new Map(records.map((row) => [row['id'] as number, row])) }
}
