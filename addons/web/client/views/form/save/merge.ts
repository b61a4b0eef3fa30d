import type { WireField } from '../../../../../../kernel/view/wire.ts'
import { formatList } from '../../../core/format.ts'
import { t, tn } from '../../../core/i18n.ts'
import { type FieldRecord, formatters } from '../../../core/registries.ts'
import { labelOf } from '../../../fields/value/control.ts'
import { CallError } from '../../../net/errors.ts'
import { services } from '../../../services.ts'
import { type LineConflicts, type RecordConflict, readConflict, readLineConflicts } from '../../../store/conflict.ts'
import { noteLoss } from '../../../store/loss.ts'
import { type Values, valuesOf, type Writer, writerOf } from '../../../store/records.ts'
import { forgetRows, type Lines, openLines, setLines } from '../../../store/x2many.ts'
import { showToast } from '../../../ui/toasts.tsx'
import { isX2many } from '../model/arch.ts'
import type { FormModel } from '../model/model.ts'
import { askFormConflict, type ConflictQuestion } from './conflict.tsx'

type ReadAgain = (form: FormModel, id: number) => Promise<void>

/** Has the user resolve the conflict that a save was refused for. False if they cancelled; rethrows any other error. */
export async function decideConflict(
  form: FormModel,
  id: number,
  error: CallError,
  readAgain: ReadAgain,
): Promise<boolean> {
  const lines = readLineConflicts(error)
  if (lines) return decideLines(form, lines)
  const conflict = await conflictOf(form, id, error)
  if (!conflict) throw error
  return decideFields(form, conflict, () => readAgain(form, id))
}

/**
 * The conflicting fields of a refused save. If the server's history does not go back far enough to know them, all
 * fields changed here count as conflicting.
 */
async function conflictOf(form: FormModel, id: number, error: CallError): Promise<RecordConflict | null> {
  const known = readConflict(error, id)
  const { version } = error.details
  if (known || typeof version !== 'number' || version <= form.draft.baseVersion.peek()) return known
  const names = Object.keys(form.toSend())
  const [row] = await services().rpc.read(form.draft.model, [id], names)
  const fields = names.map((name) => [name, { base: null, mine: form.draft.get(name), theirs: row?.[name] ?? null }])
  return { version, fields: Object.fromEntries(fields) }
}

/**
 * Asks which version of each conflicting field to keep, then rebases the draft on the other user's version. False if
 * the user cancelled.
 */
async function decideFields(
  form: FormModel,
  conflict: RecordConflict,
  readAgain: () => Promise<void>,
): Promise<boolean> {
  const { draft, arch } = form
  const [questions, who] = await Promise.all([fieldQuestions(form, conflict), readSaver(form)])
  const choices = await askFormConflict(questions, who)
  if (!choices) return false
  await readAgain()
  for (const [name, choice] of Object.entries(choices)) {
    const field = arch.fields.get(name)
    const theirs = form.entry?.values.base.peek()[name] ?? null
    if (field && isX2many(field)) {
      const open = openLines(Array.isArray(theirs) ? theirs : [])
      // Keeping one's own links replaces the whole set, including links the other user added.
      if (choice === 'theirs') draft.setLines(name, open)
      else if (field.type === 'many2many') draft.setLines(name, setLines(open, draft.lines(name).rows))
    } else if (choice === 'theirs') draft.set(name, theirs)
  }
  draft.baseVersion.value = conflict.version
  form.notice.value = null
  return true
}

/** The user who wrote the record last. */
async function readSaver({ draft, id }: FormModel): Promise<Writer | undefined> {
  const rows =
    id === null
      ? []
      : await services()
          .rpc.read(draft.model, [id], ['write_uid'])
          .catch(() => [])
  return writerOf(rows[0] ?? {})
}

async function fieldQuestions(form: FormModel, { fields }: RecordConflict): Promise<readonly ConflictQuestion[]> {
  const { arch, draft, record } = form
  const questions = Object.entries(fields).map(async ([name, { base, theirs }]) => {
    const field = arch.fields.get(name)
    if (!field) return []
    const node = arch.fieldNodes.find(({ attrs }) => attrs['name'] === name)
    // The draft holds the names of links; the values that were sent hold only ids.
    const mine = draft.get(name)
    const names = field.type === 'many2many' ? await namesOf(field.relation ?? '', [mine, theirs]) : undefined
    const text = (value: unknown) => valueText(value, field, record, node?.attrs['widget'], names)
    const label = node ? labelOf({ node, field }) : field.label
    // Missing if the history does not go back far enough; for sets of links the history has no names to show.
    const was = base === undefined || isX2many(field) ? undefined : text(base)
    return [{ key: name, label, mine: text(mine), theirs: text(theirs), base: was }]
  })
  return (await Promise.all(questions)).flat()
}

/** Names of records, by id. */
type Names = ReadonlyMap<number, string>

/** A value as plain text: the dialog uses no widgets. Links show their names. */
function valueText(value: unknown, field: WireField, record: FieldRecord, widget = '', names?: Names): string {
  if (field.type === 'many2many' && Array.isArray(value))
    return formatList(value.map((id: number) => names?.get(id) ?? `#${id}`))
  if (field.type === 'one2many' && Array.isArray(value)) return tn(value.length, '{n} entry', '{n} entries')
  const format = formatters.first([widget, field.type])
  return format ? format(value, field, record) : String(value ?? '')
}

/** Names of the linked records; ids the user has no right to read have no entry and are shown as numbers. */
async function namesOf(model: string, values: readonly unknown[]): Promise<Names> {
  const ids = values.flatMap((value) => (Array.isArray(value) ? (value as readonly number[]) : []))
  const rows = await services()
    .rpc.read(model, [...new Set(ids)], ['display_name'])
    .catch(() => [])
  return new Map(rows.map((row) => [row.id, String(row['display_name'])]))
}

/**
 * Asks the same for lines: if the other user's value is kept, the edit is dropped; all edits move to the current
 * versions.
 */
async function decideLines(form: FormModel, conflicts: LineConflicts): Promise<boolean> {
  const { draft } = form
  const disputes = Object.entries(conflicts).flatMap(([name, byId]) =>
    Object.entries(byId).flatMap(([id, { fields }]) =>
      Object.entries(fields).map(([field, { theirs }]) => ({ name, row: Number(id), field, theirs })),
    ),
  )
  const questions = disputes.map((dispute, index) => lineQuestion(form, dispute, String(index)))
  const choices = await askFormConflict(questions, undefined)
  if (!choices) return false
  for (const [index, { name, row, field }] of disputes.entries()) {
    if (choices[index] === 'theirs') draft.setLines(name, withoutEdit(draft.lines(name), row, field))
  }
  for (const [name, byId] of Object.entries(conflicts)) {
    const lines = draft.lines(name)
    const now = Object.entries(byId).map(([id, { version }]) => [id, version])
    draft.setLines(name, { ...lines, versions: { ...lines.versions, ...Object.fromEntries(now) } })
  }
  return true
}

interface Dispute {
  readonly name: string
  readonly row: number
  readonly field: string
  readonly theirs: unknown
}

function lineQuestion(
  form: FormModel,
  { name, row, field: fieldName, theirs }: Dispute,
  key: string,
): ConflictQuestion {
  const { arch, draft, workspace } = form
  const related = workspace.arch.related[name]
  const field = related?.fields.find((each) => each.name === fieldName)
  const entry = services().records.peek(related?.model ?? '', row)
  const saved: Values = entry ? valuesOf(entry).peek() : {}
  const lines = draft.lines(name)
  const record = { model: related?.model ?? '', id: row, get: (other: string) => saved[other] ?? null }
  const text = (value: unknown) => (field ? valueText(value, field, record) : String(value ?? ''))
  const place = t('line {n}', { n: lines.rows.indexOf(row) + 1 })
  return {
    key,
    label: `${arch.fields.get(name)?.label ?? name}, ${place}: ${field?.label ?? fieldName}`,
    mine: text(lines.values[row]?.[fieldName]),
    theirs: text(theirs),
  }
}

function withoutEdit(lines: Lines, row: number, field: string): Lines {
  const { [field]: _, ...others } = lines.values[row] ?? {}
  return { ...lines, values: { ...lines.values, [row]: others } }
}

/**
 * Handles a save that failed because another user deleted the record or some of its lines, or hid it from this user. A lost record
 * is reported above the form; deleted lines are removed from the draft, so that the rest can be saved. Returns whether that was the
 * cause.
 */
export async function findDeleted(form: FormModel, error: unknown, readAgain: ReadAgain): Promise<boolean> {
  const { id, entry, arch, draft } = form
  if (id === null || !entry || !(error instanceof CallError)) return false
  const isLost = error.code === 'NOT_FOUND'
  const suspects = [...arch.fields.values()].filter((field) => isX2many(field) && (isLost || error.fields[field.name]))
  if (!isLost && error.code !== 'ACCESS_DENIED' && suspects.length === 0) return false
  try {
    await readAgain(form, id)
  } catch (again) {
    return noteLoss(entry, again)
  }
  let gone = 0
  for (const { name } of suspects) {
    const there = entry.values.base.peek()[name]
    const lines = draft.lines(name)
    const lost = lines.saved.filter((row) => Array.isArray(there) && !there.includes(row))
    gone += lost.filter((row) => lines.values[row] !== undefined || lines.dropped[row] !== undefined).length
    if (lost.length > 0) draft.setLines(name, forgetRows(lines, lost))
  }
  if (gone === 0) return false
  const text = tn(
    gone,
    'A line you changed was deleted by somebody else.',
    '{n} lines you changed were deleted by somebody else.',
  )
  showToast({ level: 'warning', text, more: t('Save again to keep your other changes.') })
  return true
}
