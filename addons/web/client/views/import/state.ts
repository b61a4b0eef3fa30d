import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { CallError } from '../../net/errors.ts'
import { services } from '../../services.ts'
import { showError } from '../../ui/toasts.tsx'
import { BATCH_FIELDS, type Batch, type Entry, type Mapping, MODEL, mappingOf, type Settled } from './batch.ts'

/** A decision for a text of a column. */
export interface Decision {
  readonly column: string
  readonly value: string
  readonly as: Settled | null
}

/** One import on screen. */
export interface ImportState {
  readonly batch: Signal<Batch | null>
  readonly mapping: Signal<Mapping>
  readonly isSkipping: Signal<boolean>
  /** What runs at the moment. */
  readonly running: Signal<'check' | 'import' | 'undo' | null>
  /** Rows of the running import that are done, of all; null before the first report. */
  readonly progress: Signal<{ readonly done: number; readonly total: number } | null>
  /** Something was changed since the last dry run, or there was none. */
  readonly isStale: ReadonlySignal<boolean>
  load(): Promise<void>
  map(header: string, entry: Entry | null): void
  /** Decides what texts of a column mean; null removes the decision. */
  settle(values: readonly Decision[]): void
  /** Settings of the import that the server keeps. */
  set(values: Partial<Pick<Batch, 'import_mode' | 'remember' | 'with_defaults'>>): Promise<void>
  /** Another file takes the place of this one, which was sent already; columns of the same name stay mapped. */
  replaceBy(page: string): Promise<void>
  /** Reads the file with other settings; the mapping is guessed again. */
  readAgain(dialect: Readonly<Partial<Record<'encoding' | 'separator' | 'has_header', string>>>): Promise<void>
  check(): Promise<void>
  confirm(): Promise<void>
  cancel(): Promise<void>
  undo(): Promise<void>
}

/** Whether any column is mapped to a field; otherwise there is nothing to check or import. */
export const isMapped = ({ mapping }: ImportState): boolean => Object.keys(mapping.value).length > 0

/** Files up to this many rows are checked automatically, when they are opened and after each change. */
const CHECKED_AT_ONCE = 5_000

/** Whether no two columns fill the same field, which may happen while the user changes the mapping. */
const isDistinct = (mapping: Mapping): boolean => {
  const fields = Object.values(mapping).map(({ field }) => field)
  return new Set(fields).size === fields.length
}

/** Settings that affect the result of the rows. */
const DECIDING = ['import_mode', 'with_defaults'] as const

/** Mappings of files that were replaced, by the id of the import that follows. */
const carried = new Map<number, Mapping>()

/** Errors of a mapping without their fields, since the message already names the columns. */
const withColumns = (error: unknown): unknown =>
  error instanceof CallError && error.details['reason'] === 'mapping_invalid'
    ? new CallError(error.code, error.message)
    : error

export function createImport(id: number): ImportState {
  const { rpc, router } = services()
  const batch = signal<Batch | null>(null)
  const mapping = signal<Mapping>({})
  const isSkipping = signal(false)
  const running = signal<'check' | 'import' | 'undo' | null>(null)
  const progress = signal<{ readonly done: number; readonly total: number } | null>(null)
  /** Counts changes; the dry run that is shown was made at `checked`, the last one was begun at `attempted`. */
  const revision = signal(0)
  const checked = signal(0)
  let attempted = -1
  const isStale = computed(() => revision.value !== checked.value || batch.value?.preview === null)

  async function load(): Promise<void> {
    const [row] = await rpc.call<readonly Batch[]>(MODEL, 'read', [[id], BATCH_FIELDS])
    const isFirst = batch.peek() === null
    batch.value = row!
    if (!isFirst) return
    const headers = new Set(row!.columns?.map(({ header }) => header))
    const kept = Object.entries(carried.get(id) ?? {}).filter(([header]) => headers.has(header))
    carried.delete(id)
    mapping.value = { ...mappingOf(row!), ...Object.fromEntries(kept) }
    checkByItself()
  }

  const act = async (
    kind: 'check' | 'import' | 'undo',
    action: string,
    vals: Readonly<Record<string, string>> = {},
    onDone = () => {},
  ) => {
    running.value = kind
    progress.value = null
    let result: true | { readonly redirect: string } | null = null
    try {
      result = await rpc.call<true | { readonly redirect: string }>(MODEL, 'call', [id, action, vals])
    } catch (error) {
      showError(withColumns(error))
    }
    // If the call failed, this probably fails for the same reason, which was already shown.
    await load().catch((error) => result !== null && showError(error))
    if (result !== null) onDone()
    running.value = null
    progress.value = null
    checkByItself()
    return result
  }

  async function check(): Promise<void> {
    const at = revision.peek()
    attempted = at
    await act('check', 'action_dry_run', sent(), () => {
      checked.value = at
    })
  }

  /** Checks automatically, unless this state was already tried or the file is too large. */
  function checkByItself(): void {
    const { state, row_count } = batch.peek()!
    const isOpen = state === 'staged' || state === 'mapped'
    const isSmall = row_count <= CHECKED_AT_ONCE
    if (!isOpen || !isSmall || !isStale.peek() || running.peek() !== null || attempted === revision.peek()) return
    if (Object.keys(mapping.peek()).length > 0 && isDistinct(mapping.peek())) void check()
  }

  const change = (next: Mapping): void => {
    mapping.value = next
    revision.value++
    checkByItself()
  }

  const sent = () => ({ column_mapping: JSON.stringify(mapping.peek()) })

  return {
    ...{ batch, mapping, isSkipping, running, progress, isStale, load, check },
    map(header, entry) {
      const { [header]: _old, ...rest } = mapping.peek()
      change(entry === null ? rest : { ...rest, [header]: entry })
    },
    settle(values) {
      const next = { ...mapping.peek() }
      for (const { column, value, as } of values) {
        const entry = next[column]
        if (entry === undefined) continue
        const { [value]: _old, ...rest } = entry.values ?? {}
        next[column] = { ...entry, values: as === null ? rest : { ...rest, [value]: as } }
      }
      change(next)
    },
    async set(values) {
      try {
        await rpc.call(MODEL, 'write', [[id], values])
        await load()
        if (DECIDING.some((name) => values[name] !== undefined)) change(mapping.peek())
      } catch (error) {
        showError(error)
      }
    },
    async readAgain(dialect) {
      await act('check', 'action_read_again', dialect, () => {
        mapping.value = mappingOf(batch.peek()!)
        revision.value++
      })
    },
    async confirm() {
      await act('import', 'action_confirm_import', { ...sent(), skip_invalid: isSkipping.peek() ? '1' : '0' })
    },
    async cancel() {
      const result = await act('undo', 'action_cancel_import')
      if (result !== null && result !== true) await router.go(result.redirect)
    },
    async replaceBy(page) {
      const { import_mode, remember, with_defaults } = batch.peek()!
      const other = Number(new URL(page, location.href).searchParams.get('id'))
      carried.set(other, mapping.peek())
      await Promise.all([
        rpc.call(MODEL, 'write', [[other], { import_mode, remember, with_defaults }]),
        rpc.call(MODEL, 'call', [id, 'action_cancel_import', {}]),
      ]).catch(showError)
      await router.go(page)
    },
    async undo() {
      await act('undo', 'action_undo_import')
    },
  }
}
