import { isInvalidText, withoutInvalidTexts } from './invalid-text.ts'
import type { Values } from './records.ts'

/**
 * The rows of a one2many or many2many while they are edited. Rows that are not saved yet have negative ids. Plain data, so that a
 * draft with lines survives a reload.
 */
export interface Lines {
  /** Ids saved on the server. */
  readonly saved: readonly number[]
  /** The rows shown, in order. */
  readonly rows: readonly number[]
  /** New and changed values by row. */
  readonly values: Readonly<Record<number, Values>>
  /** Saved rows that are removed, and how: the record is deleted, or only unlinked. */
  readonly dropped: Readonly<Record<number, 'delete' | 'unlink'>>
  /** The version of each saved row when its edit began. */
  readonly versions?: Readonly<Record<number, number>>
  /** The new row that is not filled yet; it is not sent. */
  readonly blank?: number | undefined
}

/** A write command, as the server takes it. */
export type X2manyCommand =
  | readonly [0, number, Values]
  | readonly [1, number, Values]
  | readonly [2 | 3 | 4, number]
  | readonly [5]
  | readonly [6, number, readonly number[]]

export const openLines = (ids: readonly number[]): Lines => ({ saved: ids, rows: ids, values: {}, dropped: {} })

/** Appends a new row, or inserts it at `at`; its id is one below the lowest so far. */
export function addLine(lines: Lines, values: Values, at = lines.rows.length): readonly [lines: Lines, id: number] {
  const id = Math.min(0, ...lines.rows, ...Object.keys(lines.values).map(Number)) - 1
  return [{ ...lines, rows: lines.rows.toSpliced(at, 0, id), values: { ...lines.values, [id]: values } }, id]
}

export const editLine = (lines: Lines, id: number, values: Values): Lines => ({
  ...lines,
  values: { ...lines.values, [id]: { ...lines.values[id], ...values } },
})

/** Starts an edit of a saved row at this version. */
export const beginEdit = (lines: Lines, id: number, version: unknown): Lines =>
  id < 0 || typeof version !== 'number' || lines.versions?.[id] !== undefined
    ? lines
    : { ...lines, versions: { ...lines.versions, [id]: version } }

export function dropLine(lines: Lines, id: number, how: 'delete' | 'unlink'): Lines {
  const { [id]: _, ...values } = lines.values
  const rows = lines.rows.filter((row) => row !== id)
  const blank = lines.blank === id ? undefined : lines.blank
  const dropped = lines.saved.includes(id) ? { ...lines.dropped, [id]: how } : lines.dropped
  return { ...lines, rows, values, dropped, blank }
}

export function linkLine(lines: Lines, id: number): Lines {
  const { [id]: _, ...dropped } = lines.dropped
  return { ...lines, dropped, rows: lines.rows.includes(id) ? lines.rows : [...lines.rows, id] }
}

/** Sets exactly these rows; others are unlinked. */
export const setLines = (lines: Lines, ids: readonly number[]): Lines =>
  ids.reduce(
    linkLine,
    lines.rows.filter((row) => !ids.includes(row)).reduce((rest, row) => dropLine(rest, row, 'unlink'), lines),
  )

/** Removes rows whose records no longer exist. */
export const forgetRows = (lines: Lines, gone: readonly number[]): Lines => {
  const { saved, rows, values, dropped } = lines
  const isLeft = (id: number | string): boolean => !gone.includes(Number(id))
  const pick = <T>(by: Readonly<Record<number, T>>): Readonly<Record<number, T>> =>
    Object.fromEntries(Object.entries(by).filter(([id]) => isLeft(id)))
  return {
    ...lines,
    saved: saved.filter(isLeft),
    rows: rows.filter(isLeft),
    values: pick(values),
    dropped: pick(dropped),
  }
}

export const moveLine = (lines: Lines, from: number, to: number): Lines => {
  const id = lines.rows[from]
  return id === undefined ? lines : { ...lines, rows: lines.rows.toSpliced(from, 1).toSpliced(to, 0, id) }
}

export const isChanged = (lines: Lines): boolean => toCommands(lines).length > 0

/** The fewest commands that bring the server's rows to what is shown. They do not contain the order: that is a field of the rows, if they have one. `isSent`: without typed texts that are no values. */
export function toCommands({ saved, rows, values, dropped, blank }: Lines, isSent = false): readonly X2manyCommand[] {
  const known = new Set(saved)
  const going = Object.entries(dropped).map(([id, how]): X2manyCommand => [how === 'delete' ? 2 : 3, Number(id)])
  const coming = rows.flatMap((id): X2manyCommand[] => {
    const changed = isSent ? withoutInvalidTexts(values[id] ?? {}) : values[id]
    if (id === blank) return []
    if (id < 0) return [[0, id, changed ?? {}]]
    return [
      ...(known.has(id) ? [] : [[4, id] as const]),
      ...(changed && Object.keys(changed).length > 0 ? [[1, id, changed] as const] : []),
    ]
  })
  return [...going, ...coming]
}

/** Applies the commands of an onchange to the rows. */
export const applyCommands = (lines: Lines, commands: readonly X2manyCommand[]): Lines =>
  commands.reduce(applyCommand, lines)

function applyCommand(lines: Lines, command: X2manyCommand): Lines {
  switch (command[0]) {
    case 0:
      // The answer uses the same id for a new row as the request.
      return lines.rows.includes(command[1]) ? editLinks(lines, command[1], command[2]) : addLine(lines, command[2])[0]
    case 1:
      return editLinks(lines, command[1], command[2])
    case 2:
      return dropLine(lines, command[1], 'delete')
    case 3:
      return dropLine(lines, command[1], 'unlink')
    case 4:
      return linkLine(lines, command[1])
    case 5:
      return setLines(lines, [])
    case 6:
      return setLines(lines, command[2])
  }
}

/** Edits a row. Values of relations inside it come as commands and are applied to what the row has: to ids, or to earlier commands. */
function editLinks(lines: Lines, id: number, values: Values): Lines {
  const before = lines.values[id] ?? {}
  const merged = Object.entries(values).map(([name, value]) => {
    const known = before[name]
    if (isInvalidText(known)) return [name, known]
    if (!areCommands(value) || !Array.isArray(known)) return [name, value]
    return [name, areCommands(known) ? [...known, ...value] : linkedRows(known, value)]
  })
  return editLine(lines, id, Object.fromEntries(merged))
}

/** The ids that result from applying the value of a relation to the current ones. */
export const linkedRows = (ids: readonly number[], value: unknown): readonly number[] => {
  if (areCommands(value)) return applyCommands(openLines(ids), value).rows
  return Array.isArray(value) ? value.filter((id): id is number => typeof id === 'number') : ids
}

/** Whether a value of a relation is a list of commands rather than of ids. */
export const areCommands = (value: unknown): value is readonly X2manyCommand[] =>
  Array.isArray(value) && value.length > 0 && value.every(Array.isArray)
