import { z } from 'zod'
import { mayWriteField } from '../../../access/acl.ts'
import { headOf } from '../../../domain/cut-text.ts'
import type { Env } from '../../../env.ts'
import { accessDenied, invalid } from '../../../errors.ts'
import type { Field } from '../../../model/fields/field.ts'
import type { Model } from '../../../model/registry.ts'
import { modelOf } from '../../../orm/statement/scope.ts'
import { DATE_FORMATS } from './date-format.ts'
import { NUMBER_FORMATS } from './number-format.ts'

/** What to do with a name that matches no record: refuse the row, create a record, leave the row out, or leave the field empty. */
export const POLICIES = ['match', 'create', 'skip', 'empty'] as const
export type Policy = (typeof POLICIES)[number]

/** The user's decision for a text that matches no record or several: the id of a record, or a policy. */
export type Settled = number | Exclude<Policy, 'match'>

/** How the cells of a relation name records: by display name, external id or database id. */
export type ImportLinkForm = 'name' | 'id' | '.id'

/** A column of the file that is imported. */
export interface Column {
  readonly index: number
  readonly header: string
  /** As in the mapping: `partner_id/id`. */
  readonly path: string
  /** The one2many whose lines the column fills. */
  readonly line: Field | null
  /** Null: the column identifies the record, or the line, itself. */
  readonly field: Field | null
  readonly form: ImportLinkForm
  readonly isKey: boolean
  readonly format: string | null
  readonly policy: Policy
  /** The user's decisions for single texts of a relation, by text without blanks around it. */
  readonly settled: ReadonlyMap<string, Settled>
}

/** Decisions for texts of one column. */
const MAX_SETTLED = 500

const entry = z.strictObject({
  field: z.string().max(200).nullish(),
  key: z.boolean().optional(),
  format: z.string().max(40).nullish(),
  policy: z.enum(POLICIES).optional(),
  values: z
    .record(z.string().max(1_000), z.union([z.int().positive(), z.enum(['create', 'skip', 'empty'])]))
    .refine((values) => Object.keys(values).length <= MAX_SETTLED)
    .optional(),
})

const mapping = z.record(z.string(), z.union([z.string().max(200), z.null(), entry]))

/** Header → field, or field and options; a column without a field is not imported. */
export type ColumnMapping = z.infer<typeof mapping>

/** The field that an entry names, if any. */
export const fieldOf = (entry: ColumnMapping[string] | undefined): string | null | undefined =>
  typeof entry === 'string' ? entry : entry?.field

/** An error with problems of the mapping by column; its message names the columns too. */
const refuse = (problems: Readonly<Record<string, string>>) =>
  invalid('mapping_invalid', problems, headOf(columnProblems(problems), 500))

const columnProblems = (problems: Readonly<Record<string, string>>): string =>
  Object.entries(problems)
    .map(([column, problem]) => `${column}: ${problem}`)
    .join(' ')

/** An error about the mapping as a whole. */
const refuseAll = (problem: string) => invalid('mapping_invalid', { column_mapping: problem })

/** The mapping that a caller sent, as an object or as its JSON. */
export function parseMapping(env: Env, sent: unknown): ColumnMapping {
  const parsed = mapping.safeParse(sent)
  if (!parsed.success) {
    throw refuseAll(env.t('Must be an object that names a field for each column.'))
  }
  return parsed.data
}

/** A mapping as stored; an invalid one counts as empty. */
export const storedMapping = (stored: unknown): ColumnMapping => mapping.safeParse(stored).data ?? {}

/** The columns of a mapping, each checked like a value that is written. All problems are reported at once. */
export function mappedColumns(
  env: Env,
  model: Model,
  headers: readonly string[],
  given: ColumnMapping,
): readonly Column[] {
  const problems: Record<string, string> = {}
  const columns: Column[] = []
  const taken = new Set<string>()
  for (const [header, value] of Object.entries(given)) {
    const {
      field: named,
      key = false,
      format = null,
      policy = 'match',
      values = {},
    } = typeof value === 'string' ? { field: value } : (value ?? {})
    if (!named) continue
    const path = withSlashes(named)
    const index = headers.indexOf(header)
    const place = index < 0 ? env.t('The file has no such column.') : placeOf(env, model, path)
    if (typeof place === 'string') problems[header] = place
    else if (taken.has(slotOf(path))) problems[header] = env.t('Two columns are mapped to {field}.', { field: path })
    else if (!isFormat(place.field, format))
      problems[header] = env.t('There is no format {format}.', { format: format ?? '' })
    else {
      // A column may have led to records before it was mapped to a plain field.
      const settled = new Map(namedModel(place) === null ? [] : Object.entries(values))
      columns.push({ index, header, path, ...place, isKey: key && place.line === null, format, policy, settled })
    }
    taken.add(slotOf(path))
  }
  if (Object.keys(problems).length > 0) throw refuse(problems)
  if (columns.length === 0) {
    const text = headOf(headers.join(', '), 200)
    throw refuseAll(env.t('No column is mapped to a field. The file has: {headers}.', { headers: text }))
  }
  return columns
}

/** An export takes paths with `.` and with `/`, and heads columns with them. */
export const withSlashes = (path: string): string => path.replace(/(?<=\w)\.(?=\w)/g, '/')

/** An export calls the external id `id/id`, a mapping `id`. */
const slotOf = (path: string): string => (path === 'id/id' ? 'id' : path)

type Place = Pick<Column, 'line' | 'field' | 'form'>

/** What a path names, or why it cannot be imported. */
export function placeOf(env: Env, model: Model, path: string, line: Field | null = null): Place | string {
  const [first = '', second, ...rest] = path.split('/')
  if (path === '.id') return { line, field: null, form: path }
  if (slotOf(path) === 'id') return { line, field: null, form: 'id' }
  const field = model.fields.get(first)
  if (field === undefined)
    return env.t('{model} has no field {field}.', { model: env.t(model.label), field: headOf(path, 80) })
  if (!mayWriteField(env, field)) throw accessDenied('field_access', `You are not allowed to use the field ${first}.`)
  if (field.system || field.secret) return env.t('Is kept by the system and cannot be set.')
  if (field.compute !== null && field.compute.inverse === null) return env.t('Is computed and cannot be set.')
  if (field.readonly && !env.isSudo) return env.t('Is read-only.')
  if (field.relation?.kind === 'one2many') {
    if (line !== null || second === undefined)
      return env.t('Name a field of its lines, such as {path}.', { path: `${first}/name` })
    return placeOf(env, modelOf(env, field.relation.target), [second, ...rest].join('/'), field)
  }
  const isForm = second === undefined || (field.relation !== null && (second === 'id' || second === '.id'))
  if (!isForm && field.relation !== null)
    return env.t('Is a value of another record: import it as {model}.', {
      model: env.t(modelOf(env, field.relation.target).label),
    })
  if (!isForm || rest.length > 0) return env.t('There is no such field.')
  return { line, field, form: second ?? 'name' }
}

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  number: NUMBER_FORMATS,
  date: DATE_FORMATS,
  datetime: DATE_FORMATS,
}

/** The formats a field offers; none: its text has only one. */
export const formatsOf = (field: Field | null): readonly string[] => (field && FORMATS[field.type.comparison]) ?? []

const isFormat = (field: Field | null, format: string | null): boolean =>
  format === null || formatsOf(field).includes(format)

/** The model whose records the cells of a column name: those of a relation, or the lines themselves by their external id; null for others. */
export function namedModel({ field, line, form }: Place): string | null {
  if (field !== null) return field.relation?.target ?? null
  return line !== null && form === 'id' ? line.relation!.target : null
}
