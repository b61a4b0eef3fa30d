import { headOf } from '../../../domain/cut-text.ts'
import type { Env } from '../../../env.ts'
import type { Model } from '../../../model/registry.ts'
import { closenessTo } from '../../../model/similar.ts'
import { displayNames } from '../../../orm/record/project.ts'
import { search } from '../../../orm/record/search.ts'
import { modelOf } from '../../../orm/statement/scope.ts'
import { LIGHT_SLICE, mapInSlices, slicesOf } from '../../../slices.ts'
import { type Column, namedModel } from '../column/column.ts'
import { nameLanguages } from '../record/lookup.ts'
import { namesInCell } from '../record/record.ts'
import type { ImportPlan, ImportReport } from './report.ts'
import type { ValueToSettle } from './value-to-settle.ts'

/** Values that a dry run lists, the most frequent first, and how many of them get suggestions of similar names. */
const MAX_VALUES = 100
const MAX_SUGGESTED = 40
const MAX_CHOICES = 5
const MAX_CHARS = 120

type Choices = readonly (readonly [number, string])[]

/** Texts for which the lookups of an import found no record or several, and those the user has already decided about. */
export async function valuesToSettle(
  env: Env,
  { columns, sheet }: ImportPlan,
  { unmatched }: ImportReport,
): Promise<readonly ValueToSettle[]> {
  const found: { column: Column; value: string; rows: number; ids: readonly number[] }[] = []
  for (const column of columns) {
    const open = new Map([...(unmatched.get(column) ?? [])].map(([text, ids]) => [text.trim(), ids]))
    if (column.form !== 'name' || open.size + column.settled.size === 0) continue
    const counts = new Map<string, number>()
    for await (const slice of slicesOf(env, sheet.rows, LIGHT_SLICE))
      for (const { cells } of slice)
        for (const text of namesInCell(column, cells[column.index])) {
          const value = text.trim()
          if (open.has(value) || column.settled.has(value)) counts.set(value, (counts.get(value) ?? 0) + 1)
        }
    for (const [value, rows] of counts) found.push({ column, value, rows, ids: open.get(value) ?? [] })
  }
  const shown = found.toSorted((a, b) => b.rows - a.rows).slice(0, MAX_VALUES)
  const values: ValueToSettle[] = []
  for (const [index, { column, value, rows, ids }] of shown.entries()) {
    const target = modelOf(env, namedModel(column)!)
    const settled = column.settled.get(value)
    const known = typeof settled === 'number' ? [settled] : ids
    const choices =
      known.length > 0
        ? await namesOf(env, target, known)
        : settled === undefined && index < MAX_SUGGESTED
          ? await similarTo(env, target, value)
          : []
    const [best] = choices
    values.push({
      column: column.header,
      value: headOf(value, 1_000),
      rows,
      model: target.name,
      isSeveral: ids.length > 1,
      isArchived: ids.length === 1,
      choices: choices.map(([id, name]) => [id, headOf(name, MAX_CHARS)]),
      suggested: settled === undefined && ids.length === 0 && best ? best[0] : null,
    })
  }
  return values
}

async function namesOf(env: Env, target: Model, ids: readonly number[]): Promise<Choices> {
  return [...(await displayNames(env, target, ids))].slice(0, MAX_CHOICES)
}

/** First characters of a word by which similar names are searched, words of a text that are searched, and found names that are compared. */
const HEAD = 3
const MAX_WORDS = 3
const MAX_COMPARED = 200

/** Records whose names are like the text, in the language of the user, else in another one. */
async function similarTo(env: Env, target: Model, text: string): Promise<Choices> {
  for (const lang of nameLanguages(env, target)) {
    const found = await similarIn(env.inLanguage(lang), target, text)
    if (found.length > 0) return found
  }
  return []
}

/** One name begins with the other, or few letters differ. */
async function similarIn(env: Env, target: Model, text: string): Promise<Choices> {
  const closeness = closenessTo(text)
  if (closeness === null) return []
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= HEAD)
  const heads = [...new Set(words.slice(0, MAX_WORDS).map((word) => word.slice(0, HEAD)))]
  if (heads.length === 0) return []
  const { records } = await search(env, target, {
    domain: [...heads.slice(1).map(() => '|'), ...heads.map((head) => ['display_name', 'ilike', head])],
    fields: ['display_name'],
    order: 'id',
    limit: MAX_COMPARED,
    isTrusted: true,
  })
  const compared = await mapInSlices(env, records, ({ id, display_name }) => {
    const name = display_name as string
    return { id: id as number, name, score: closeness(name) }
  })
  return compared
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_CHOICES)
    .map(({ id, name }) => [id, name])
}
