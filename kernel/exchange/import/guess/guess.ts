import { mayWriteField } from '../../../access/acl.ts'
import type { Env } from '../../../env.ts'
import type { Field } from '../../../model/fields/field.ts'
import { labelIn } from '../../../model/fields/translation.ts'
import type { Model } from '../../../model/registry.ts'
import { closenessTo } from '../../../model/similar.ts'
import { modelOf } from '../../../orm/statement/scope.ts'
import { mapInSlices } from '../../../slices.ts'
import { sql } from '../../../sql/sql.ts'
import type { WindowAction } from '../../../view/tables.ts'
import { type ColumnMapping, type Policy, placeOf, type Settled, storedMapping } from '../column/column.ts'
import type { ImportSheet } from '../file/sheet.ts'
import { headerLanguages, headerName } from './header-name.ts'
import { findNameColumn } from './name-column.ts'
import { formatOf, sampleTexts } from './samples.ts'

const EARLIER_IMPORTS = 10

/** The likely field of a column, by its normalised name: technical names first, then labels. */
export function knownNames(env: Env, model: Model): ReadonlyMap<string, string> {
  const names = new Map<string, string>([
    ['id', 'id'],
    ['.id', '.id'],
    ['externalid', 'id'],
    ['id/id', 'id'],
  ])
  const add = (name: string, path: string) => {
    const key = headerName(name)
    if (key !== '' && !names.has(key)) names.set(key, path)
  }
  const fields = importable(env, model)
  for (const field of fields) for (const path of pathsOf(env, field)) add(path, path)
  for (const lang of headerLanguages(env.lang)) {
    const t = env.registry.translatorIn(lang)
    const external = t('External ID')
    add(external, 'id')
    for (const field of fields) {
      if (field.relation?.kind !== 'one2many') {
        add(labelIn(t, field), field.name)
        if (field.relation !== null) add(`${t(field.label)}/${external}`, `${field.name}/id`)
      } else
        for (const line of importable(env, modelOf(env, field.relation.target), field.relation.inverse))
          if (line.relation?.kind !== 'one2many')
            add(`${t(field.label)}/${labelIn(t, line)}`, `${field.name}/${line.name}`)
    }
  }
  return names
}

const importable = (env: Env, model: Model, inverse?: string): readonly Field[] =>
  [...model.fields.values()].filter(
    (field) => mayWriteField(env, field) && field.name !== inverse && typeof placeable(env, model, field) !== 'string',
  )

/** A one2many is reached through the fields of its lines. */
const placeable = (env: Env, model: Model, field: Field) =>
  field.relation?.kind === 'one2many'
    ? field.readonly || field.compute !== null
      ? 'read-only'
      : field
    : placeOf(env, model, field.name)

function pathsOf(env: Env, field: Field): readonly string[] {
  if (field.relation === null) return [field.name]
  if (field.relation.kind !== 'one2many') return [field.name, `${field.name}/id`, `${field.name}/.id`]
  const lines = importable(env, modelOf(env, field.relation.target), field.relation.inverse)
  return [
    `${field.name}/.id`,
    `${field.name}/id`,
    ...lines.flatMap((line) =>
      line.relation?.kind === 'one2many' ? [] : pathsOf(env, line).map((path) => `${field.name}/${path}`),
    ),
  ]
}

/** A field that a column may go to. */
export interface FieldChoice {
  readonly path: string
  readonly label: string
  /** Type of the field; `id` for the columns that identify the record. */
  readonly type: string
}

/** Everything a column may be mapped to, in the language of the user. */
export function fieldChoices(env: Env, model: Model): readonly FieldChoice[] {
  const external = env.t('External ID')
  const choicesOf = (field: Field, path: string, label: string): readonly FieldChoice[] => {
    const own = { path, label, type: field.type.name }
    return field.relation === null ? [own] : [own, { ...own, path: `${path}/id`, label: `${label} / ${external}` }]
  }
  const lines = (field: Field, target: string, inverse: string): readonly FieldChoice[] => [
    { path: `${field.name}/id`, label: `${env.t(field.label)} / ${external}`, type: 'id' },
    ...importable(env, modelOf(env, target), inverse)
      .filter(({ relation }) => relation?.kind !== 'one2many')
      .flatMap((line) =>
        choicesOf(line, `${field.name}/${line.name}`, `${env.t(field.label)} / ${labelIn(env.t, line)}`),
      ),
  ]
  const own = importable(env, model).filter(({ name }) => name !== 'id')
  const fields = own.flatMap((field) =>
    field.relation?.kind === 'one2many'
      ? lines(field, field.relation.target, field.relation.inverse)
      : choicesOf(field, field.name, labelIn(env.t, field)),
  )
  return [{ path: 'id', label: external, type: 'id' }, ...fields]
}

/** A mapping to begin with. */
export interface GuessedMapping {
  readonly mapping: ColumnMapping
  /** Headers whose field is taken from an earlier import. */
  readonly remembered: ReadonlySet<string>
  /** Suggested fields with similar names for the other columns. The user must accept them; otherwise only exact names are mapped. */
  readonly similar: ReadonlyMap<string, string>
}

/** Maps columns as the user did before, else by names and labels of fields, and by the words the list uses for its records. */
export async function guessMapping(
  env: Env,
  model: Model,
  sheet: ImportSheet,
  action: WindowAction | null,
): Promise<GuessedMapping> {
  const names = knownNames(env, model)
  const earlier = await earlierMapping(env, model)
  const pathOf = (header: string) => earlier.get(header)?.field ?? names.get(headerName(header))
  const named = await findNameColumn(env, model, sheet, action, pathOf)
  const taken = new Set<string>()
  const mapping: Record<string, ColumnMapping[string]> = {}
  const remembered = new Set<string>()
  for (const [index, header] of sheet.headers.entries()) {
    const before = earlier.get(header)
    const isName = before === undefined && header === named?.header
    if (isName && !named.isSure) continue
    const path = isName ? named.path : identityOr(pathOf(header), sheet, index)
    if (path === undefined || taken.has(path)) continue
    const place = placeOf(env, model, path)
    if (typeof place === 'string') continue
    taken.add(path)
    const format = formatOf(env, sheet, { field: place.field, index })
    if (before !== undefined) remembered.add(header)
    mapping[header] =
      format === null && before === undefined ? path : { ...before, field: path, ...(format !== null && { format }) }
  }
  const free = [...names].filter(([, path]) => !taken.has(path))
  const others = sheet.headers.filter((header) => !Object.hasOwn(mapping, header))
  const pairs = await mapInSlices(env, others, (header) => [header, similarField(headerName(header), free)] as const)
  const likely = named !== null && !named.isSure ? ([[named.header, named.path]] as const) : []
  const similar = new Map([
    ...pairs.flatMap(([header, path]) => (path === null ? [] : [[header, path] as const])),
    ...likely,
  ])
  return { mapping, remembered, similar }
}

/** Names with fewer characters are similar to too many others. */
const MIN_CHARS = 4

/** The one field with the name that is most like this one, of those that are fields of the record itself. */
function similarField(name: string, known: readonly (readonly [string, string])[]): string | null {
  const closeness = closenessTo(name)
  if (closeness === null) return null
  let best = { path: null as string | null, score: 0 }
  for (const [other, path] of known) {
    if (Math.min(name.length, other.length) < MIN_CHARS || path.includes('/')) continue
    const score = closeness(other)
    if (score > best.score) best = { path, score }
    else if (score === best.score && path !== best.path) best = { path: null, score }
  }
  return best.path
}

/** The export writes database ids into the column `id`; if that column has other texts than numbers, they are external ids. */
const identityOr = (path: string | undefined, sheet: ImportSheet, index: number): string | undefined =>
  path === 'id' && sampleTexts(sheet, index).every((text) => /^\d{1,10}$/.test(text)) ? '.id' : path

interface EarlierColumn {
  readonly field: string
  readonly key?: boolean
  readonly policy?: Policy
  readonly values?: Readonly<Record<string, Settled>>
}

/** The fields to which the user mapped columns of this model in the last imports, the newest first. */
async function earlierMapping(env: Env, model: Model): Promise<ReadonlyMap<string, EarlierColumn>> {
  const { rows } = await sql<{ column_mapping: unknown }>`
    select column_mapping from sys_bulk_import
    where model = ${model.name} and user_id = ${env.user.id} and state = 'done' and remember is not false order by id desc limit ${EARLIER_IMPORTS}`.execute(
    env.tx,
  )
  const found = new Map<string, EarlierColumn>()
  for (const { column_mapping } of rows) {
    for (const [header, value] of Object.entries(storedMapping(column_mapping))) {
      const entry = typeof value === 'string' ? { field: value } : value
      if (found.has(header) || !entry?.field || !isAllowed(env, model, entry.field)) continue
      const { field, key, policy, values } = entry as EarlierColumn
      found.set(header, { field, ...(key && { key }), ...(policy && { policy }), ...(values && { values }) })
    }
  }
  return found
}

/** Whether an earlier mapping is still valid: the user may have lost a right, or the model a field, since then. */
function isAllowed(env: Env, model: Model, path: string): boolean {
  const field = model.fields.get(path.split('/', 1)[0]!)
  return field === undefined ? typeof placeOf(env, model, path) !== 'string' : mayWriteField(env, field)
}
