import { deferred } from '../../../core/deferred.tsx'
import { lookupsDone } from '../../../core/lookups.ts'
import { CallError, isAbort, missingFields } from '../../../net/errors.ts'
import type { CallOptions } from '../../../net/rpc.ts'
import { services } from '../../../services.ts'
import type { SentDraft } from '../../../store/changes-since-save.ts'
import { createRecord, writeRecords } from '../../../store/queries.ts'
import { writerOf } from '../../../store/records.ts'
import { showError } from '../../../ui/toasts.tsx'
import { isX2many } from '../model/arch.ts'
import type { FieldErrors, FormModel } from '../model/model.ts'
import { findMissing } from './find-missing.ts'
import { showField } from './focus.ts'
import { keepChangesSinceSave } from './pending-changes.ts'

/** Loaded when the first save is refused, because few are. */
const merging = deferred(() => import('./merge.ts'))

/** Saves under way. */
const saves = new WeakMap<FormModel, Promise<number | null>>()

/**
 * Saves the draft and resolves with the record's id, or with null if it could not be saved; the form then shows why.
 * `again` is offered as Retry where that can help, and must repeat everything that follows the save. While another save
 * is under way, what was changed since it began is saved after it; for a new record, the form of the created record takes it over.
 */
export async function saveForm(form: FormModel, again?: () => void): Promise<number | null> {
  if (!form.isSaving.peek()) {
    const save = saveNow(form, again)
    saves.set(form, save)
    return save
  }
  if (form.id === null) return null
  const id = await saves.get(form)!
  return id !== null && form.isDirty.peek() ? saveForm(form, again) : id
}

async function saveNow(form: FormModel, again?: () => void): Promise<number | null> {
  form.isSaving.value = true
  const { session } = services()
  session.saves++
  form.stopSave = new AbortController()
  const { signal } = form.stopSave
  const patient = { signal, isPatient: true }
  try {
    commitTyped()
    await lookupsDone()
    // Wait for the defaults of a new record, which may fill required fields.
    if (form.isOpening.peek()) await form.onchange.settled()
    requireFilled(form)
    await form.onchange.settled()
    signal.throwIfAborted()
    requireFilled(form)
    // The created record opens in its own form. Until then `isSaving` stays true, so that this form cannot create a
    // second one.
    if (form.id === null) return await create(form, patient)
    const sent = await write(form, form.id, patient)
    if (sent) await refreshForm(form, form.id, sent, patient)
    form.isSaving.value = false
    return sent && form.id
  } catch (error) {
    const isShown = isAboutOthers(form, error) && (await (await merging.load()).findDeleted(form, error, readAgain))
    form.isSaving.value = false
    if (!isShown && !isAbort(error)) showSaveError(form, error, again)
    return null
  } finally {
    session.saves--
  }
}

/** Whether the save may have failed because the record or some of its lines were deleted or hidden. */
const isAboutOthers = ({ id, arch }: FormModel, error: unknown): boolean =>
  id !== null &&
  error instanceof CallError &&
  (error.code === 'NOT_FOUND' ||
    error.code === 'ACCESS_DENIED' ||
    [...arch.fields.values()].some((field) => isX2many(field) && error.fields[field.name]))

/**
 * Throws if a required field is empty or a typed text could not be parsed. Checked before any request, and again after
 * the last onchange.
 */
function requireFilled({ arch, draft, scope, workspace, invalid }: FormModel): void {
  const missing = findMissing({ arch, draft, scope: scope.peek(), related: workspace.arch.related })
  const wrong = { ...missing, ...invalid.peek() }
  if (Object.keys(wrong).length > 0) throw missingFields(wrong)
}

/** Blurs the focused control, so that a value still being typed is saved too, and focuses it again. */
function commitTyped(): void {
  const { activeElement } = document
  if (!(activeElement instanceof HTMLElement) || activeElement.tagName === 'BUTTON') return
  activeElement.blur()
  activeElement.focus({ preventScroll: true })
}

async function create(form: FormModel, patient: CallOptions): Promise<number> {
  const sent = form.send()
  const id = await createRecord(services().rpc, form.draft.model, form.toSend(), patient)
  keepChangesSinceSave(form, id, sent)
  form.close()
  return id
}

/**
 * Writes the changes based on the version the edit started from. Conflicts with other users are resolved field by
 * field. Null if the user cancelled.
 */
async function write(form: FormModel, id: number, patient: CallOptions): Promise<SentDraft | null> {
  const { rpc } = services()
  for (;;) {
    const sent = form.send()
    const values = form.toSend()
    if (Object.keys(values).length === 0) return sent
    try {
      const began = lineVersions(form)
      await writeRecords(rpc, form.draft.model, [id], values, {
        ...patient,
        baseVersion: { [id]: form.draft.baseVersion.peek() },
        ...(began && { lineVersions: began }),
      })
      return sent
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'CONFLICT') throw error
      const { decideConflict } = await merging.load()
      if (!(await decideConflict(form, id, error, readAgain))) return null
    }
  }
}

/** Versions that the edits of lines started from, by field. */
function lineVersions({ draft }: FormModel): Readonly<Record<string, Readonly<Record<number, number>>>> | undefined {
  const all = Object.entries(draft.snapshot().lines).flatMap(([name, { versions }]) =>
    versions && Object.keys(versions).length > 0 ? [[name, versions] as const] : [],
  )
  return all.length === 0 ? undefined : Object.fromEntries(all)
}

const readAgain = async (form: FormModel, id: number, options?: CallOptions): Promise<void> => {
  const { rpc, records } = services()
  records.put(form.draft.model, await rpc.read(form.draft.model, [id], form.readFields, options))
}

/**
 * Loads the record and its lines again and restarts the draft from them. Changes made since `sent` was taken are kept.
 */
export async function refreshForm(
  form: FormModel,
  id: number,
  sent = nothingSent(form),
  options?: CallOptions,
): Promise<void> {
  await readAgain(form, id, options)
  form.resumeAfter(sent)
  await refreshAllLines(form, id, options)
}

const refreshAllLines = (form: FormModel, id: number, options?: CallOptions): Promise<unknown> =>
  Promise.all([...form.arch.fields.values()].filter(isX2many).map(({ name }) => refreshLines(form, id, name, options)))

/** Reads the record and its lines again without touching the draft, because others changed them. */
export async function rereadForm(form: FormModel, id: number): Promise<void> {
  const { rpc, records, session } = services()
  const { model } = form.draft
  const rows = await rpc.read(model, [id], [...form.readFields, 'write_uid'])
  records.put(model, rows, { isRemote: rows.some((row) => writerOf(row)?.[0] !== session.bootstrap.user.id) })
  await refreshAllLines(form, id)
}

/** An empty `SentDraft`, so that everything in the draft counts as newer and is kept. */
function nothingSent(form: FormModel): SentDraft {
  const { base, draft } = form.send()
  return { base, draft: { ...draft, values: {}, lines: {} } }
}

async function refreshLines(
  { workspace, draft }: FormModel,
  id: number,
  name: string,
  options?: CallOptions,
): Promise<void> {
  const { rpc, records } = services()
  const target = workspace.arch.related[name]?.model
  const ids = records.peek(draft.model, id)?.values.base.peek()[name]
  if (target === undefined || !Array.isArray(ids)) return
  const held = ids.flatMap((line: number) => records.peek(target, line) ?? [])
  const known = new Set(held.flatMap((line) => Object.keys(line.values.base.peek())))
  known.delete('id')
  if (held.length === 0 || known.size === 0) return
  const rows = await rpc.read(
    target,
    held.map((line) => line.id),
    [...known],
    options,
  )
  records.put(target, rows)
}

/** Shows error messages at their fields and focuses the first of them. An error without fields is shown as a toast. */
export function showSaveError(form: FormModel, error: unknown, again?: () => void): void {
  const fields = error instanceof CallError ? fieldErrors(form, error.fields) : {}
  form.errors.value = fields
  const first = form.arch.fieldNodes.find(({ attrs }) => fields[attrs['name'] ?? ''] !== undefined)
  if (first) showField(form, first)
  if (Object.keys(fields).length === 0) showError(error, again)
}

/** Moves the message of a value inside a line (`line_ids.0.quantity`) to the field of the lines. */
const fieldErrors = ({ arch }: FormModel, fields: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(fields).map(([path, message]) => {
      const [name = path] = path.split(/[./[]/)
      return arch.fields.has(path) ? [path, message] : [name, message]
    }),
  )
