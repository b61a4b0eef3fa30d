import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { WireField } from '../../../../kernel/view/wire.ts'
import { type InvalidText, isInvalidText, validValueOf, withoutInvalidTexts } from './invalid-text.ts'
import { sameValue, type Values } from './records.ts'
import { applyCommands, areCommands, isChanged, type Lines, openLines, toCommands } from './x2many.ts'

/** A record being edited: its original values and the user's changes. Nothing is sent until it is saved. */
export interface RecordDraft {
  readonly model: string
  /** Null for a new record. */
  readonly id: number | null
  /** Version the edit began with; 0 for a new record. */
  readonly baseVersion: Signal<number>
  readonly changed: ReadonlySignal<readonly string[]>
  readonly isDirty: ReadonlySignal<boolean>
  /** Typed texts that are no valid values. */
  readonly invalidTexts: ReadonlySignal<readonly InvalidTextPlace[]>
  /** The value as it would be saved; of an x2many the ids shown. Reading subscribes. */
  get(name: string): unknown
  /** Rows of an x2many. */
  lines(name: string): Lines
  set(name: string, value: unknown): void
  setLines(name: string, lines: Lines): void
  /** Several values at once, as an onchange answers them; x2many as commands. */
  assign(values: Values): void
  discard(): void
  /** The values to send to `write` or `create`. */
  toValues(): Values
  /** As plain data, to keep over a reload. */
  snapshot(): DraftSnapshot
  restore(snapshot: DraftSnapshot): void
}

export interface InvalidTextPlace {
  readonly name: string
  /** In a line: its field. */
  readonly column?: string
  readonly value: InvalidText
}

export interface DraftSnapshot {
  readonly baseVersion: number
  readonly values: Values
  readonly lines: Readonly<Record<string, Lines>>
}

export interface DraftOptions {
  readonly model: string
  readonly id: number | null
  readonly fields: readonly WireField[]
  /** The values on the server, or the defaults of a new record; they may change while the draft is open. */
  readonly base: ReadonlySignal<Values>
  /** Values of a new record that count as entered: defaults. */
  readonly initial?: Values
}

const isX2many = ({ type }: WireField): boolean => type === 'one2many' || type === 'many2many'

const idsOf = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.filter((id): id is number => typeof id === 'number') : []

export function createDraft({ model, id, fields, base, initial = {} }: DraftOptions): RecordDraft {
  const relations = new Set(fields.filter(isX2many).map(({ name }) => name))
  const values = signal<Values>({})
  const edited = signal<Readonly<Record<string, Lines>>>({})
  const version = base.peek()['version']
  const baseVersion = signal(typeof version === 'number' ? version : 0)

  const baseOf = (name: string): unknown => base.value[name] ?? null
  const lines = (name: string): Lines => edited.value[name] ?? openLines(idsOf(baseOf(name)))
  const changed = computed(() => [
    ...Object.keys(values.value),
    ...Object.entries(edited.value).flatMap(([name, each]) => (isChanged(each) ? [name] : [])),
  ])

  const invalidTexts = computed(() => [
    ...invalidTextsOf(values.value).map(([name, value]) => ({ name, value })),
    ...Object.entries(edited.value).flatMap(([name, { rows, values: typed }]) =>
      rows.flatMap((row) => invalidTextsOf(typed[row]).map(([column, value]) => ({ name, column, value }))),
    ),
  ])

  function set(name: string, value: unknown): void {
    if (relations.has(name)) {
      setLines(name, toLines(lines(name), value))
      return
    }
    const { [name]: _, ...others } = values.peek()
    // Typing the original value again undoes the change; a new record has no original values.
    values.value = id !== null && sameValue(value, base.peek()[name] ?? null) ? others : { ...others, [name]: value }
  }

  function setLines(name: string, next: Lines): void {
    edited.value = { ...edited.peek(), [name]: next }
  }

  const assign = (next: Values): void =>
    batch(() => {
      for (const [name, value] of Object.entries(next)) set(name, value)
    })

  function discard(): void {
    batch(() => {
      values.value = {}
      edited.value = {}
      const now = base.peek()['version']
      baseVersion.value = typeof now === 'number' ? now : 0
      assign(initial)
    })
  }

  assign(initial)
  return {
    model,
    id,
    baseVersion,
    changed,
    isDirty: computed(() => changed.value.length > 0),
    invalidTexts,
    get: (name) =>
      relations.has(name) ? lines(name).rows : name in values.value ? validValueOf(values.value[name]) : baseOf(name),
    lines,
    set,
    setLines,
    assign,
    discard,
    toValues: () => ({
      ...Object.fromEntries(
        Object.entries(withoutInvalidTexts(values.peek())).map(([name, value]) => [name, toWire(value)]),
      ),
      ...Object.fromEntries(
        Object.entries(edited.peek()).flatMap(([name, each]) => {
          const commands = toCommands(each, true)
          return commands.length > 0 ? [[name, commands]] : []
        }),
      ),
    }),
    snapshot: () => ({ baseVersion: baseVersion.peek(), values: values.peek(), lines: edited.peek() }),
    restore(snapshot) {
      batch(() => {
        baseVersion.value = snapshot.baseVersion
        values.value = snapshot.values
        edited.value = snapshot.lines
      })
    },
  }
}

const invalidTextsOf = (values: Values = {}): [string, InvalidText][] =>
  Object.entries(values).filter((entry): entry is [string, InvalidText] => isInvalidText(entry[1]))

const toLines = (lines: Lines, value: unknown): Lines =>
  areCommands(value) ? applyCommands(lines, value) : applyCommands(lines, [[6, 0, idsOf(value)]])

/** A many2one is read as `[id, name]` and written as its id. */
const toWire = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === 'number' && typeof value[1] !== 'number'
    ? value[0]
    : value
