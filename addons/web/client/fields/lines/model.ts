import type { WireField } from '../../../../../kernel/view/wire.ts'
import { deferred } from '../../core/deferred.tsx'
import { addLookup } from '../../core/lookups.ts'
import type { FieldProps } from '../../core/registries.ts'
import { isAbort } from '../../net/errors.ts'
import { services } from '../../services.ts'
import { isInvalidText } from '../../store/invalid-text.ts'
import { askOnchange } from '../../store/queries.ts'
import type { RecordEntry, Values } from '../../store/records.ts'
import {
  addLine,
  areCommands,
  beginEdit,
  dropLine,
  editLine,
  type Lines,
  linkLine,
  moveLine,
} from '../../store/x2many.ts'
import { showError } from '../../ui/toasts.tsx'
import { contextDefaults } from '../edit/relation-domain.ts'
import { numberOf } from '../value/values.ts'
import type { LinesArch } from './columns.ts'
import { applyAnswer, lineToWire, lineValue } from './line-values.ts'
import { type LineKind, sortInSections } from './sections.ts'
import { compareValues, edgeNumber, renumberLines } from './sequence.ts'

const warningToasts = deferred(() => import('../../ui/show-warnings.ts'))

const ONCHANGE_MS = 120

/** Operations on the lines of a field. All changes go into the draft of the parent record. */
export interface LinesModel {
  lines(): Lines
  /** The saved record of a row; null for a new row. */
  entryOf(row: number): RecordEntry | null
  set(row: number, name: string, value: unknown): void
  /** Adds a line with the defaults of its model and returns its row. */
  add(at: 'top' | 'bottom', kind?: LineKind): number
  drop(row: number): void
  link(id: number): void
  move(from: number, to: number): void
  /** Puts the rows in the order of a column. */
  sort(field: WireField, isDown: boolean): void
  /** Whether a row is new and nothing was typed into it yet. */
  isUntouched(row: number): boolean
  stop(): void
}

export interface LinesPorts {
  readonly arch: LinesArch
  /** The current props. */
  readonly props: () => FieldProps
  readonly entryOf: (row: number) => RecordEntry | null
}

/** State of the onchange requests of a row. */
interface Asked {
  /** Resolves when the defaults of a new row have arrived; other requests wait for it, so that defaults cannot overwrite typed values. */
  begun: Promise<void>
  /** Aborted when the row is removed, which ends the request for its defaults. */
  readonly removed: AbortController
  /** Fields edited since the last request. */
  readonly changed: Set<string>
  /** Fields the pending request is about. */
  asking: readonly string[]
  abort: AbortController
  /** Sends the edited fields shortly after the last edit; a save waits for the answer. */
  later(): void
}

export function createLinesModel({ arch, props, entryOf }: LinesPorts): LinesModel {
  const asked = new Map<number, Asked>()
  const names = arch.fields.map(({ name }) => name)

  const lines = (): Lines => {
    const { record, field } = props()
    return record.lines?.(field.name) ?? { saved: [], rows: [], values: {}, dropped: {} }
  }
  const setLines = (next: Lines): void => {
    const { record, field } = props()
    record.setLines?.(field.name, next)
  }
  const shownValue = (row: number, field: WireField): unknown => lineValue(lines(), row, entryOf(row), field)

  /**
   * The parent record with its unsaved values, for the onchange of a line. Its x2many values are left out, since a line
   * does not depend on them.
   */
  function parentOf() {
    const { record, field } = props()
    if (field.inverse === undefined) return undefined
    const values = Object.fromEntries(
      Object.entries(record.changes?.() ?? {}).filter(([, value]) => !areCommands(value)),
    )
    return { field: field.inverse, ...(record.id !== null && { id: record.id }), values }
  }

  async function ask(row: number, changed: readonly string[], signal: AbortSignal): Promise<void> {
    const parent = parentOf()
    try {
      const { value, warnings } = await askOnchange(
        services().rpc,
        arch.model,
        lineToWire(lines().values[row]),
        changed,
        {
          ...(row > 0 && { id: row }),
          ...(parent && { parent }),
          fields: names,
          signal,
        },
      )
      if (signal.aborted) return
      // Fields edited after the request was sent are newer than the response.
      const newer = asked.get(row)?.changed ?? new Set()
      forget(row, signal)
      const answer = Object.fromEntries(Object.entries(value).filter(([name]) => !newer.has(name)))
      const before = lines()
      const next = applyAnswer(before, row, answer, arch.fields, (field) => shownValue(row, field))
      if (next !== before) setLines(next)
      if (warnings.length > 0) (await warningToasts.load()).showWarnings(warnings)
    } catch (error) {
      if (isAbort(error)) return
      forget(row, signal)
      showError(error)
    }
  }

  /** Ends the requests of a row that is no longer there: the next new row gets its number. */
  function stopAsking(row: number): void {
    const state = asked.get(row)
    state?.removed.abort()
    state?.abort.abort()
    asked.delete(row)
  }

  /** Marks a request as done, so that its fields are not sent again. */
  function forget(row: number, signal: AbortSignal): void {
    const state = asked.get(row)
    if (state?.abort.signal === signal) state.asking = []
  }

  function askedOf(row: number): Asked {
    const known = asked.get(row)
    if (known) return known
    let edits = 0
    const send = async () => {
      const changed = [...made.changed]
      // The row was removed, or an earlier call has sent everything.
      if (changed.length === 0 || asked.get(row) !== made) return
      made.changed.clear()
      made.asking = changed
      made.abort = new AbortController()
      await ask(row, changed, made.abort.signal)
    }
    const made: Asked = {
      begun: Promise.resolve(),
      removed: new AbortController(),
      changed: new Set<string>(),
      asking: [],
      abort: new AbortController(),
      later() {
        const edit = ++edits
        const rest = new Promise((done) => setTimeout(done, ONCHANGE_MS))
        addLookup(rest.then(() => (edit === edits ? made.begun.then(send) : undefined)))
      },
    }
    asked.set(row, made)
    return made
  }

  function askLater(row: number, name: string): void {
    const state = askedOf(row)
    // A pending request was sent with the previous values: it is aborted, and its fields are sent again.
    state.abort.abort()
    for (const each of state.asking) state.changed.add(each)
    state.asking = []
    state.changed.add(name)
    state.later()
  }

  /** Takes the order of the rows; where lines are put in order by hand, it is stored. */
  function arrange(next: Lines): void {
    const sequence = arch.fields.find(({ name }) => name === arch.handle)
    const numbers = sequence && renumberLines(next.rows, (row) => numberOf(shownValue(row, sequence)))
    setLines(
      [...(numbers ?? [])].reduce((rest, [row, number]) => editLine(rest, row, { [arch.handle ?? '']: number }), next),
    )
  }

  return {
    lines,
    entryOf,
    set(row, name, value) {
      if (!lines().rows.includes(row)) return
      const begun = beginEdit(lines(), row, entryOf(row)?.values.base.peek()['version'])
      setLines({ ...editLine(begun, row, { [name]: value }), blank: begun.blank === row ? undefined : begun.blank })
      if (isInvalidText(value)) asked.get(row)?.changed.delete(name)
      else askLater(row, name)
    },
    add(at, kind) {
      const { handle, fields } = arch
      const before = lines()
      const sequence = fields.find(({ name }) => name === handle)
      const number =
        sequence &&
        edgeNumber(
          before.rows.map((row) => numberOf(shownValue(row, sequence))),
          at,
        )
      const values: Values = {
        ...contextDefaults(props().node),
        ...(sequence && { [sequence.name]: number }),
        ...(kind && arch.kind && { [arch.kind.name]: kind }),
      }
      const [next, row] = addLine(before, values, at === 'top' ? 0 : before.rows.length)
      setLines({ ...next, blank: row })
      // Its number may be that of a row which was discarded.
      stopAsking(row)
      const state = askedOf(row)
      state.begun = ask(row, [], state.removed.signal)
      addLookup(state.begun)
      return row
    },
    drop(row) {
      stopAsking(row)
      setLines(dropLine(lines(), row, props().field.type === 'one2many' ? 'delete' : 'unlink'))
    },
    link: (id) => setLines(linkLine(lines(), id)),
    move: (from, to) => arrange(moveLine(lines(), from, to)),
    sort(field, isDown) {
      const before = lines()
      const sorted = (rows: readonly number[]) => {
        const up = rows.toSorted((a, b) => compareValues(shownValue(a, field), shownValue(b, field)))
        return isDown ? up.reverse() : up
      }
      const isSection = (row: number) => arch.kind !== null && shownValue(row, arch.kind) === 'section'
      arrange({ ...before, rows: sortInSections(before.rows, isSection, sorted) })
    },
    isUntouched: (row) => row === lines().blank,
    stop() {
      for (const { abort } of asked.values()) abort.abort()
      asked.clear()
    },
  }
}
