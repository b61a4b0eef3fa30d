import { findXmlids, fullXmlid } from '../../../data/xmlid.ts'
import type { Env } from '../../../env.ts'
import { AppError } from '../../../errors.ts'
import { BASE_LANGUAGE } from '../../../i18n/translate.ts'
import { LIMITS } from '../../../limits.ts'
import { Refusal } from '../../../model/fields/field.ts'
import type { Model } from '../../../model/registry.ts'
import { create } from '../../../orm/record/create.ts'
import { search } from '../../../orm/record/search.ts'
import { modelOf } from '../../../orm/statement/scope.ts'
import { readableIds } from '../../../orm/statement/targets.ts'
import { constraintNamer } from '../../../schema/violations.ts'
import { LIGHT_SLICE, slicesOf } from '../../../slices.ts'
import { isRetryable, translatePgError } from '../../../sql/pg-error.ts'
import { undoable } from '../../../work/undoable.ts'
import { databaseId } from '../../cell/database-id.ts'
import { idOfOwnExternalId } from '../../cell/external-id.ts'
import { type Column, type ImportLinkForm, namedModel, type Policy } from '../column/column.ts'
import type { CreatedTargets } from './targets.ts'
import { archivedOnly, none, several, Unfound } from './unfound.ts'

/** External ids that a file does not qualify belong to no addon. */
export const IMPORT_MODULE = 'import'

/** What a text refers to: a record, a record of a row not imported yet, nothing, a row to leave out, or the reason why no record is found. */
export type Found = number | 'later' | 'empty' | 'skip' | Unfound

export interface ColumnTexts {
  readonly texts: readonly string[]
  /** Whether a text names a record that a later row of the file will create. */
  readonly isToCome: (text: string) => boolean
  /** Whether a row of the file creates the record, or was refused: no other record is created for the text. */
  readonly isOwn: (text: string) => boolean
}

/** Texts of one statement. */
const BATCH = 5_000

/**
 * The records that the texts of a relation column name, with one statement for each few thousand different texts. Only records that the
 * caller may read are found.
 */
export async function lookUp(
  env: Env,
  column: Column,
  { texts, isToCome, isOwn }: ColumnTexts,
  created: CreatedTargets,
): Promise<ReadonlyMap<string, Found>> {
  const target = modelOf(env, namedModel(column)!)
  const found = await findSettled(env, target, column, texts)
  const all = texts.filter((text) => !found.has(text))
  for (let at = 0; at < all.length; at += BATCH) {
    const known = await LOOKUPS[column.form](env, target, all.slice(at, at + BATCH))
    for (const [text, result] of known) found.set(text, result)
  }
  for (const text of all) if (!found.has(text) && isToCome(text)) found.set(text, 'later')
  const missing = all.filter((text) => !found.has(text))
  const [own, others] = [missing.filter(isOwn), missing.filter((text) => !isOwn(text))]
  for await (const slice of slicesOf(env, own, LIGHT_SLICE))
    for (const text of slice) found.set(text, policyOf(column.policy, text))
  if (others.length > 0) {
    const resolve = await resolver(env, target, column, others, created)
    const ofArchived = await findArchived(env, target, column, others)
    for await (const slice of slicesOf(env, others, LIGHT_SLICE))
      for (const text of slice) found.set(text, ofArchived.get(text) ?? resolve(text))
  }
  return found
}

/** Why names that only archived records have are not found, where a name has to be that of a record. */
async function findArchived(
  env: Env,
  target: Model,
  { policy, form, settled }: Column,
  texts: readonly string[],
): Promise<ReadonlyMap<string, Unfound>> {
  if (!target.hasActive || form !== 'name') return new Map()
  const wanted = texts.filter((text) => policy === 'match' && !settled.has(text.trim()))
  const reasons = new Map<string, Unfound>()
  for (let at = 0; at < wanted.length; at += BATCH) {
    for (const [text, ids] of await idsByName(env, target, wanted.slice(at, at + BATCH), 'only'))
      reasons.set(text, archivedOnly(text, ids))
  }
  return reasons
}

/** Resolves texts with a decision. A record to create is searched first, since another row may have created it. */
async function findSettled(
  env: Env,
  target: Model,
  { settled }: Column,
  texts: readonly string[],
): Promise<Map<string, Found>> {
  const found = new Map<string, Found>()
  if (settled.size === 0) return found
  const ids = new Map<string, number>()
  for (const text of texts) {
    const choice = settled.get(text.trim())
    if (typeof choice === 'number') ids.set(text, choice)
    else if (choice === 'skip' || choice === 'empty') found.set(text, choice)
  }
  const visible = await readable(env, target, ids)
  for (const text of ids.keys()) found.set(text, visible.get(text) ?? none(text))
  return found
}

type Lookup = (env: Env, target: Model, texts: readonly string[]) => Promise<Map<string, Found>>

/** Records by their names in the language of the user, else in another one: a file need not be in that language. */
const byName: Lookup = async (env, target, names) => {
  const found = new Map<string, Found>()
  for (const lang of nameLanguages(env, target)) {
    const missing = names.filter((name) => !found.has(name))
    if (missing.length === 0) break
    for (const [name, result] of await byNameIn(env.inLanguage(lang), target, missing)) found.set(name, result)
  }
  return found
}

/** The languages that names of records are in, that of the user first. */
export function nameLanguages({ lang, registry }: Env, { displayFields, fields }: Model): readonly string[] {
  const others = displayFields.flatMap((name) => {
    const { selection, languages } = fields.get(name)!
    return selection === null ? languages : registry.languages
  })
  return others.length === 0 ? [lang] : [...new Set([lang, BASE_LANGUAGE, ...others])]
}

const byNameIn: Lookup = async (env, target, names) => {
  const found = new Map<string, Found>()
  for (const [name, ids] of await idsByName(env, target, names, 'exclude'))
    found.set(name, ids.length === 1 ? ids[0]! : several(name, ids))
  return found
}

/** The records with each of the names. Blanks around a name are ignored, unless a record is named like that. */
async function idsByName(
  env: Env,
  target: Model,
  names: readonly string[],
  archived: 'exclude' | 'only',
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { records } = await search(env, target, {
    domain: [['display_name', 'in', [...new Set(names.flatMap((name) => [name, name.trim()]))]]],
    fields: ['display_name'],
    order: 'id',
    archived,
    isTrusted: true,
  })
  const ids = new Map<string, number[]>()
  for (const { id, display_name } of records) {
    const known = ids.get(display_name as string)
    if (known) known.push(id as number)
    else ids.set(display_name as string, [id as number])
  }
  return new Map(
    names.flatMap((name) => {
      const same = ids.get(name) ?? ids.get(name.trim())
      return same === undefined ? [] : [[name, same] as const]
    }),
  )
}

const byExternalId: Lookup = async (env, target, texts) => {
  const xmlids = new Map(texts.map((text) => [text, fullXmlid(IMPORT_MODULE, text)]))
  const known = await findXmlids(
    env.tx,
    [...xmlids.values()].filter((xmlid) => xmlid !== null),
  )
  const ids = new Map<string, number>()
  for (const [text, xmlid] of xmlids) {
    const entry = xmlid === null ? undefined : known.get(xmlid)
    const id = entry?.model === target.name ? entry.res_id : idOfOwnExternalId(target, text)
    if (id !== null) ids.set(text, id)
  }
  return readable(env, target, ids)
}

const byDatabaseId: Lookup = (env, target, texts) =>
  readable(env, target, new Map(texts.map((text) => [text, databaseId(text)] as const).filter(isFound)))

const isFound = (entry: readonly [string, number | null]): entry is readonly [string, number] => entry[1] !== null

async function readable(env: Env, target: Model, ids: ReadonlyMap<string, number>): Promise<Map<string, Found>> {
  const visible = new Set(await readableIds(env, target, [...ids.values()]))
  return new Map([...ids].filter(([, id]) => visible.has(id)))
}

const LOOKUPS: Readonly<Record<ImportLinkForm, Lookup>> = { name: byName, id: byExternalId, '.id': byDatabaseId }

/** Applies the policy of the column to texts that match no record; records to create are created now. */
async function resolver(
  env: Env,
  target: Model,
  { policy, form, settled }: Column,
  missing: readonly string[],
  created: CreatedTargets,
): Promise<(text: string) => Found> {
  const [name, ...more] = target.displayFields
  const canCreate = form === 'name' && name !== undefined && more.length === 0
  const isNew = (text: string) => canCreate && (settled.get(text.trim()) ?? policy) === 'create'
  const texts = [...new Set(missing.filter(isNew).map((text) => text.trim()))]
  if (texts.length === 0) return (text) => policyOf(policy, text)
  const made = await createNamed(env, target, name!, texts)
  const ids = [...made.values()].filter((each) => typeof each === 'number')
  created.set(target.name, [...(created.get(target.name) ?? []), ...ids])
  return (text) => (isNew(text) ? made.get(text.trim())! : policyOf(policy, text))
}

const policyOf = (policy: Policy, text: string): Found =>
  policy === 'skip' || policy === 'empty' ? policy : none(text)

/** The problem of a name in a refused group, after too many refusals to test each name by itself. */
export const notAlone = () =>
  new Refusal('Others beside it are refused. It was not tried alone, since more than {count} are refused.', {
    count: LIMITS.importRefusedRows,
  })

/** Creates a record for each name. A refused group of names is halved until the faulty ones are found, so that only their rows are refused. */
async function createNamed(
  env: Env,
  target: Model,
  field: string,
  all: readonly string[],
): Promise<ReadonlyMap<string, number | Unfound>> {
  const made = new Map<string, number | Unfound>()
  let refused = 0
  const make = async (names: readonly string[]): Promise<void> => {
    try {
      const values = names.map((name) => ({ [field]: name }))
      const ids = await undoable(env, () => create(env, target, values))
      for (const [index, name] of names.entries()) made.set(name, ids[index]!)
    } catch (error) {
      const known = isRetryable(error) ? error : translatePgError(error, constraintNamer(env.registry, env.t))
      if (!(known instanceof AppError) || known.status >= 500 || known.code === 'ACCESS_DENIED') throw error
      if (names.length > 1 && refused < LIMITS.importRefusedRows) {
        const half = Math.ceil(names.length / 2)
        await make(names.slice(0, half))
        await make(names.slice(half))
        return
      }
      const fields = (known.details['fields'] ?? {}) as Readonly<Record<string, string>>
      const reason = names.length === 1 ? new Refusal(fields[field] ?? known.message) : notAlone()
      const unfound = new Unfound(reason.sentence, reason.values)
      for (const name of names) made.set(name, unfound)
      refused += names.length
    }
  }
  await make(all)
  return made
}
