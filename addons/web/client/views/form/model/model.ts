import { batch, computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals'
import type { WireDomain, WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import { deferred } from '../../../core/deferred.tsx'
import type { Scope } from '../../../core/expression.ts'
import { today } from '../../../core/format.ts'
import { t } from '../../../core/i18n.ts'
import type { FieldRecord } from '../../../core/registries.ts'
import type { Person } from '../../../net/bus.ts'
import { CallError } from '../../../net/errors.ts'
import { services } from '../../../services.ts'
import { changesSinceSave, type SentDraft } from '../../../store/changes-since-save.ts'
import { createDraft, type DraftSnapshot, type RecordDraft } from '../../../store/draft.ts'
import { recordOfDraft } from '../../../store/draft-record.ts'
import { type DraftKey, dropDraft, findDraft, keepDraft } from '../../../store/draft-storage.ts'
import type { InvalidText } from '../../../store/invalid-text.ts'
import { createOnchange, type Onchange } from '../../../store/onchange.ts'
import type { OnchangeAnswer } from '../../../store/queries.ts'
import { type RecordEntry, type Values, valuesOf, type Writer, writerOf } from '../../../store/records.ts'
import { writableValues } from '../../../store/writable.ts'
import type { Lines } from '../../../store/x2many.ts'
import { showError } from '../../../ui/toasts.tsx'
import { type FormArch, isX2many, readForm } from './arch.ts'

const warningToasts = deferred(() => import('../../../ui/show-warnings.ts'))

export type FieldErrors = Readonly<Record<string, string>>

/** A notice shown above the record. */
export type FormNotice =
  | { readonly kind: 'restored' }
  /** Another user saved the record while it is being edited here; `overlap` names the fields that both changed. */
  | { readonly kind: 'changed'; readonly overlap: readonly string[]; readonly by: Writer | undefined }

/** State of a record on a form: its draft, the values its conditions are evaluated on, and its errors. */
export interface FormModel {
  readonly workspace: WireWorkspace
  readonly arch: FormArch
  /** Null for a new record. */
  readonly id: number | null
  readonly entry: RecordEntry | null
  readonly draft: RecordDraft
  readonly record: FieldRecord
  readonly scope: ReadonlySignal<Scope>
  /** Whether the user has the right to save the record. */
  readonly mayEdit: boolean
  /** Whether the user changed something. Defaults of a new record do not count. */
  readonly isDirty: ReadonlySignal<boolean>
  /** Names of the fields a save would write. */
  readonly changed: ReadonlySignal<readonly string[]>
  readonly errors: Signal<FieldErrors>
  /** Messages for typed text that could not be parsed, by field. */
  readonly invalid: ReadonlySignal<FieldErrors>
  /** Whether the defaults of a new record are still loading. */
  readonly isOpening: Signal<boolean>
  readonly isSaving: Signal<boolean>
  /** Whether a save waits for a server that is away or busy; discarding ends it. */
  readonly isWaiting: Signal<boolean>
  /** Aborts the running save. */
  stopSave: AbortController
  /** Name of the object action that is running. */
  readonly running: Signal<string | null>
  readonly notice: Signal<FormNotice | null>
  /** Other users who have the record open. */
  readonly others: Signal<readonly Person[]>
  /** Fields that another user changed a moment ago. */
  readonly recent: Signal<ReadonlySet<string>>
  /** Key of the open page of each notebook. */
  readonly pages: Signal<Readonly<Record<string, string>>>
  readonly onchange: Onchange
  /** The values a save writes. */
  toSend(): Values
  /** Fields to read when the record is loaded again. */
  readonly readFields: readonly string[]
  set(name: string, value: unknown): void
  setInvalid(name: string, problem: string | InvalidText | null): void
  /** Drops the draft and all errors, and shows the values of the record. */
  discard(): void
  /** Snapshot of the draft, taken when it is sent. */
  send(): SentDraft
  /** Called after a save: restarts the draft from the saved record and keeps changes made since `sent` was taken. */
  resumeAfter(sent: SentDraft): void
  /**
   * Called after a new record is created: the draft no longer counts as unsaved. Later changes belong to the form of
   * the created record.
   */
  close(): void
  /** Marks the draft as changed although nothing was typed, as for a duplicate. */
  touch(): void
  stop(): void
}

export interface FormOptions {
  readonly workspace: WireWorkspace
  /** Keeps the control ids of several forms on one page distinct. */
  readonly prefix: string
  /** Initial values of a new record, in addition to those of the action. */
  readonly defaults?: Values
  /** Whether these values count as changes of the user, as for a duplicate. */
  readonly isTouched?: boolean
  /** Changes to start with: those typed while the new record was being saved, or discarded ones that are restored. */
  readonly later?: (saved: Values) => DraftSnapshot | null
  /** Whether the draft is kept in session storage and survives a page reload. Off in dialogs. */
  readonly isKept?: boolean
}

/** Open notebook pages by model, so that the next record opens at the same page. */
const lastPages = new Map<string, Readonly<Record<string, string>>>()

export function createForm({
  workspace,
  prefix,
  defaults = {},
  isTouched = false,
  later,
  isKept = false,
}: FormOptions): FormModel {
  const { records, session } = services()
  const { model, arch: wire } = workspace
  const id = workspace.recordId === 0 ? null : workspace.recordId
  const arch = readForm(wire, prefix)
  const entry = id === null ? null : records.get(model, id)
  const draft = createDraft({
    model,
    id,
    fields: wire.fields,
    base: entry ? valuesOf(entry) : signal<Values>({}),
    ...(id === null && { initial: { ...workspace.defaults, ...defaults } }),
  })
  const touched = signal(isTouched)
  const isClosed = signal(false)
  const errors = signal<FieldErrors>({})
  /** Problems that controls report without a text to keep. */
  const reported = signal<FieldErrors>({})
  const invalid = computed(() => {
    const wrong: Record<string, string> = { ...reported.value }
    for (const { name, column, value } of draft.invalidTexts.value) {
      if (value.isTyping) continue
      const field = wire.related[name]?.fields.find((each) => each.name === column)?.label
      wrong[name] = field === undefined ? value.problem : t('{field}: {problem}', { field, problem: value.problem })
    }
    return wrong
  })
  const domains = signal<Readonly<Record<string, WireDomain>>>({})
  const notice = signal<FormNotice | null>(null)
  const isOpening = signal(id === null)
  const pages = signal(lastPages.get(model) ?? {})
  const place: DraftKey = { userId: session.bootstrap.user.id, model, id, actionId: workspace.actionId }

  const writable = { fields: arch.fields, related: wire.related, defaults: { ...workspace.defaults, ...defaults } }
  // `draft.changed` is read only to subscribe: the values to send change whenever it does.
  const changed = computed(() => draft.changed.value && Object.keys(writableValues(draft.toValues(), writable)))
  const isDirty = computed(
    () =>
      !isClosed.value &&
      touched.value &&
      (id === null || changed.value.length + draft.invalidTexts.value.length + Object.keys(reported.value).length > 0),
  )
  const scope = computed(() => ({
    values: { id, ...Object.fromEntries(wire.fields.map(({ name }) => [name, draft.get(name)])) },
    uid: session.bootstrap.user.id,
    today: today(),
  }))

  const forget = (which: Signal<FieldErrors>, name: string) => {
    if (which.peek()[name] === undefined) return
    const { [name]: _, ...others } = which.peek()
    which.value = others
  }

  function take({ value, warnings, domains: narrowed }: OnchangeAnswer): void {
    batch(() => {
      draft.assign(value)
      for (const name of Object.keys(value)) forget(errors, name)
      if (narrowed) domains.value = { ...domains.peek(), ...narrowed }
    })
    if (warnings.length > 0) tell(warnings).catch(showError)
    void nameLinks(draft, arch)
  }

  const onchange = createOnchange({
    draft,
    names: wire.fields.map(({ name }) => name),
    onAnswer: take,
    onError: (error) => {
      // Other errors are reported by the save; a failed onchange must not interrupt typing.
      if (error instanceof CallError && error.code === 'VALIDATION')
        errors.value = { ...errors.peek(), ...error.fields }
    },
  })

  const edited = (name: string) => {
    batch(() => {
      touched.value = true
      forget(errors, name)
      forget(reported, name)
    })
    onchange.ask(name)
  }

  function set(name: string, value: unknown): void {
    batch(() => {
      if (isLines(value)) draft.setLines(name, value)
      else draft.set(name, value)
      edited(name)
    })
  }

  const base = recordOfDraft(draft, { related: wire.related, domains: () => domains.value })
  const stops: (() => void)[] = []

  const kept = isKept ? findDraft(sessionStorage, place) : null
  if (kept && !isTouched) {
    draft.restore(kept)
    touched.value = true
    notice.value = { kind: 'restored' }
    isOpening.value = false
  }
  const typed = later?.(entry?.values.base.peek() ?? {})
  if (typed) {
    draft.restore(typed)
    touched.value = true
    isOpening.value = false
  }
  if (isKept) {
    stops.push(
      effect(() =>
        isDirty.value ? untracked(() => keepDraft(sessionStorage, place, draft)) : dropDraft(sessionStorage, place),
      ),
    )
  }
  if (entry) stops.push(followOthers(entry, draft, arch, { isDirty, isSaving: () => isSaving.peek(), notice }))

  const isSaving = signal(false)
  const isWaiting = signal(false)

  const form: FormModel = {
    workspace,
    arch,
    id,
    entry,
    draft,
    record: { ...base, setLines: (name: string, lines: Lines) => set(name, lines) },
    scope,
    mayEdit: id === null ? wire.access.create : wire.access.write,
    isDirty,
    changed,
    errors,
    invalid,
    isOpening,
    isSaving,
    isWaiting,
    stopSave: new AbortController(),
    running: signal<string | null>(null),
    notice,
    others: signal<readonly Person[]>([]),
    recent: signal<ReadonlySet<string>>(new Set()),
    pages,
    onchange,
    readFields: [
      ...new Set([...arch.fields.keys(), 'display_name', 'version', ...(wire.archivable ? ['active'] : [])]),
    ],
    toSend: () => writableValues(draft.toValues(), writable),
    set,
    setInvalid(name, problem) {
      if (problem === null) return forget(reported, name)
      batch(() => {
        touched.value = true
        if (typeof problem === 'string') reported.value = { ...reported.peek(), [name]: problem }
        else draft.set(name, problem)
      })
    },
    discard() {
      // A save that does not wait will be answered in a moment, so it is not aborted.
      if (isWaiting.peek()) form.stopSave.abort()
      batch(() => {
        onchange.stop()
        draft.discard()
        touched.value = false
        errors.value = {}
        reported.value = {}
        domains.value = {}
        notice.value = null
      })
    },
    send: () => ({ draft: draft.snapshot(), base: entry?.values.base.peek() ?? {} }),
    resumeAfter(sent) {
      batch(() => {
        const newer = changesSinceSave(sent, draft.snapshot(), entry?.values.base.peek() ?? {})
        // Text that cannot be parsed is never sent, so it was typed after the save and is kept.
        const wrong = reported.peek()
        form.discard()
        if (newer) draft.restore(newer)
        reported.value = wrong
        touched.value = newer !== null || Object.keys(wrong).length > 0
        for (const name of Object.keys(newer?.values ?? {})) onchange.ask(name)
      })
    },
    close() {
      isClosed.value = true
    },
    touch() {
      touched.value = true
    },
    stop() {
      lastPages.set(model, pages.peek())
      onchange.stop()
      for (const stop of stops) stop()
    },
  }
  if (id === null && !kept && !typed)
    void onchange.begin().finally(() => {
      isOpening.value = false
    })
  return form
}

const isLines = (value: unknown): value is Lines => typeof value === 'object' && value !== null && 'dropped' in value

/** Loads the names of many2one values that are plain ids, as defaults of an action are. */
async function nameLinks(draft: RecordDraft, { fields }: FormArch): Promise<void> {
  const { rpc } = services()
  const links = [...fields.values()].filter(
    ({ name, type }) => type === 'many2one' && typeof draft.get(name) === 'number',
  )
  await Promise.all(
    links.map(async ({ name, relation }) => {
      const id = Number(draft.get(name))
      const [row] = await rpc.read(relation ?? '', [id], ['display_name'])
      if (row && draft.get(name) === id) draft.set(name, [id, row['display_name'] ?? null])
    }),
  ).catch(() => undefined)
}

interface Follower {
  readonly isDirty: ReadonlySignal<boolean>
  readonly isSaving: () => boolean
  readonly notice: Signal<FormNotice | null>
}

/**
 * Applies saves of other users, whose values show at once. Without unsaved changes the draft moves to the new version;
 * otherwise a notice is shown, and the save merges.
 */
function followOthers(entry: RecordEntry, draft: RecordDraft, { fields }: FormArch, form: Follower): () => void {
  let before = entry.values.base.peek()
  return effect(() => {
    const now = entry.values.base.value
    const earlier = before
    before = now
    const version = now['version']
    if (typeof version !== 'number' || version === earlier['version']) return
    untracked(() => {
      if (!form.isDirty.peek()) draft.baseVersion.value = version
      else if (!form.isSaving()) {
        const overlap = draft.changed.peek().filter((name) => {
          const field = fields.get(name)
          return field && !isX2many(field) && JSON.stringify(earlier[name]) !== JSON.stringify(now[name])
        })
        // An unchanged `write_uid` may belong to an earlier version, so the writer is not known.
        const by = now['write_uid'] === earlier['write_uid'] ? undefined : writerOf(now)
        form.notice.value = { kind: 'changed', overlap, by }
      }
    })
  })
}

const tell = async (warnings: OnchangeAnswer['warnings']): Promise<void> =>
  (await warningToasts.load()).showWarnings(warnings)
