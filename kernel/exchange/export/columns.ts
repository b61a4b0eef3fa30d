import { z } from 'zod'
import { decide } from '../../access/decide.ts'
import { usesOfField } from '../../access/uses.ts'
import type { Env } from '../../env.ts'
import { AppError, badRequest } from '../../errors.ts'
import { inBaseLanguage } from '../../i18n/language.ts'
import { LIMITS } from '../../limits.ts'
import type { Field } from '../../model/fields/field.ts'
import { labelIn } from '../../model/fields/translation.ts'
import type { Model } from '../../model/registry.ts'
import { modelOf, type TableScope } from '../../orm/statement/scope.ts'

/** How a column shows a link or a record: by name, by external id (`partner_id/id`) or by database id (`partner_id/.id`). */
export type ExportLinkForm = 'name' | 'external' | 'database'

/** One column of an export. */
export interface ExportColumn {
  /** As in the request. */
  readonly path: string
  /** The labels of the fields on the path, in the language of the caller. */
  readonly label: string
  /** A heading that the caller chose instead of the label. */
  readonly heading?: string
  /** The field at the end of the path, whose type decides how values are written. */
  readonly field: Field
  readonly form: ExportLinkForm
}

/** A model on the paths of the columns: the fields read of its records, and the links followed from them. */
export interface ExportNode {
  readonly model: Model
  readonly leaves: readonly ExportLeaf[]
  readonly links: readonly Link[]
}

/** A value of a record, and the column it goes to. */
export interface ExportLeaf {
  readonly column: number
  readonly field: Field
  readonly form: ExportLinkForm
  /** Beside a text whose language is named (`name@de`), `name` is the English one, as it is when the file is imported. */
  readonly isEnglish?: boolean
}

export interface Link {
  readonly field: Field
  readonly node: ExportNode
}

export interface ExportTree {
  readonly columns: readonly ExportColumn[]
  readonly root: ExportNode
}

/**
 * The columns of an export and what to read for them. A path steps with `.` or `/`. A field that does not exist is BAD_REQUEST,
 * one that the caller may not read ACCESS_DENIED, wherever it stands on a path.
 */
export function parseColumns(env: Env, model: Model, paths: readonly string[]): ExportTree {
  if (paths.length > LIMITS.fields)
    throw badRequest('limit_exceeded', `At most ${LIMITS.fields} fields can be exported at once.`)
  const keys = paths.map(columnKey)
  const twice = paths.find((_, index) => keys.indexOf(keys[index]!) !== index)
  if (twice !== undefined) throw badRequest('input_invalid', `${twice.slice(0, 200)} is asked for twice.`)
  const root = growNode(model)
  const columns = paths.map((path, column) => addPath(env, root, path, column))
  return { columns, root: withEnglish(root) }
}

/** The heading of a column: its own one, else the label or the path. */
export const headingOf = ({ heading, label, path }: ExportColumn, labels: boolean): string =>
  heading ?? (labels ? label : path)

/** A column as stored: a path, or a path with its heading. */
export type SavedColumn = string | { readonly path: string; readonly heading: string }

const savedColumns = z
  .array(
    z.union([
      z.string(),
      z.strictObject({ path: z.string(), heading: z.string().min(1).max(LIMITS.exportHeadingChars) }),
    ]),
  )
  .min(1)

/** Null if these are columns of an export of the model, else what is wrong with them. A field the caller may not read is ACCESS_DENIED. */
export function explainColumns(env: Env, modelName: string, columns: unknown): string | null {
  const model = env.registry.model(modelName)
  if (model === undefined) return `There is no model ${modelName}.`
  const saved = savedColumns.safeParse(columns)
  if (!saved.success) return 'The columns are a list of fields, each with a heading of its own or without.'
  try {
    parseColumns(
      env,
      model,
      saved.data.map((column) => (typeof column === 'string' ? column : column.path)),
    )
    return null
  } catch (error) {
    if (error instanceof AppError && error.code === 'BAD_REQUEST') return error.message
    throw error
  }
}

/** The node with `isEnglish` set on texts that appear beside one of their translations. */
function withEnglish({ model, leaves, links }: ExportNode): ExportNode {
  const bases = new Set(leaves.map(({ field }) => field.translationOf))
  return {
    model,
    leaves: leaves.map((leaf) => (bases.has(leaf.field.name) ? { ...leaf, isEnglish: true } : leaf)),
    links: links.map((link) => ({ ...link, node: withEnglish(link.node) })),
  }
}

/** Where the value of a leaf is read from, in its language. */
export const scopeOf = (scope: TableScope, { isEnglish }: ExportLeaf): TableScope =>
  isEnglish ? { ...scope, env: inBaseLanguage(scope.env) } : scope

interface GrowingNode extends ExportNode {
  readonly leaves: ExportLeaf[]
  readonly links: (Link & { readonly node: GrowingNode })[]
}

const growNode = (model: Model): GrowingNode => ({ model, leaves: [], links: [] })

function addPath(env: Env, root: GrowingNode, path: string, column: number): ExportColumn {
  const { steps, form } = splitPath(path)
  if (steps.length > LIMITS.exportSteps)
    throw badRequest('limit_exceeded', `A path of an export has at most ${LIMITS.exportSteps} steps.`)
  const labels: string[] = []
  let node = root
  for (const [index, name] of steps.entries()) {
    const field = findField(env, node.model, name, path)
    labels.push(labelIn(env.t, field))
    const isLast = index === steps.length - 1
    // The external id of a line appears in the row of the line, like its other fields.
    if (isLast && !(form !== 'name' && field.relation?.kind === 'one2many')) {
      const shown = requireForm(field, form, path)
      node.leaves.push({ column, field, form: shown })
      return { path, label: labelOf(env, labels, field, shown), field, form: shown }
    }
    node = follow(env, node, field, path)
  }
  const field = node.model.fields.get('id')!
  node.leaves.push({ column, field, form })
  return { path, label: labelOf(env, [...labels, env.t(field.label)], field, form), field, form }
}

/** The label of a column. That of a link's id differs from that of its name, so that a file may have both. */
function labelOf(env: Env, labels: readonly string[], { name }: Field, form: ExportLinkForm): string {
  const path = name === 'id' ? labels.slice(0, -1) : labels
  const id = { name: [], database: [env.t('ID')], external: [env.t('External ID')] }[form]
  return (form === 'name' ? labels : [...path, ...id]).join('/')
}

/** `a.b`, `a/b`, `a/id` (external id) and `a/.id` (database id). A record itself is `id`, with the same two endings. */
function splitPath(path: string): { readonly steps: readonly string[]; readonly form: ExportLinkForm } {
  if (path === '.id') return { steps: ['id'], form: 'database' }
  const form = path.endsWith('/.id') ? 'database' : path.endsWith('/id') ? 'external' : 'name'
  const base = path.slice(0, path.length - { name: 0, external: 3, database: 4 }[form])
  return { steps: base.split(/[./]/), form }
}

/** A key that is equal for every spelling of a path: steps may be written with `.` or `/`. */
export function columnKey(path: string): string {
  const { steps, form } = splitPath(path)
  return `${steps.join('/')} ${form}`
}

function findField(env: Env, model: Model, name: string, path: string): Field {
  const field = model.fields.get(name)
  if (field === undefined)
    throw badRequest('field_unknown', `${model.name} has no field ${name.slice(0, 80)}.`, { field: path.slice(0, 200) })
  decide(env, usesOfField(env.registry, model, field))
  return field
}

function requireForm(field: Field, form: ExportLinkForm, path: string): ExportLinkForm {
  if (form !== 'name' && field.relation === null && field.name !== 'id')
    throw badRequest('field_unsuitable', `${field.model}.${field.name} links to no record that could have an id.`, {
      field: path.slice(0, 200),
    })
  return form
}

function follow(env: Env, { model, links }: GrowingNode, field: Field, path: string): GrowingNode {
  if (field.relation === null)
    throw badRequest('field_unsuitable', `${model.name}.${field.name} is no link a path could follow.`, {
      field: path.slice(0, 200),
    })
  const known = links.find((link) => link.field === field)
  if (known) return known.node
  const node = growNode(modelOf(env, field.relation.target))
  links.push({ field, node })
  return node
}
