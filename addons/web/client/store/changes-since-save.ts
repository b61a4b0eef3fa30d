import type { DraftSnapshot } from './draft.ts'
import { sameValue, type Values } from './records.ts'
import { dropLine, editLine, isChanged, type Lines, linkLine, openLines } from './x2many.ts'

/** A draft at the moment it was sent, and the record values it was based on. */
export interface SentDraft {
  readonly draft: DraftSnapshot
  readonly base: Values
}

/** The changes made after a draft was sent, as a draft of the record as it was saved; null if there are none. */
export function changesSinceSave(
  { draft: sent, base }: SentDraft,
  now: DraftSnapshot,
  saved: Values,
): DraftSnapshot | null {
  const names = new Set([...Object.keys(sent.values), ...Object.keys(now.values)])
  const values = Object.fromEntries(
    [...names].flatMap((name) => {
      // A field without a change has the value of the record.
      const before = name in sent.values ? sent.values[name] : base[name]
      const after = name in now.values ? now.values[name] : base[name]
      return sameValue(before ?? null, after ?? null) || sameValue(after ?? null, saved[name] ?? null)
        ? []
        : [[name, after ?? null]]
    }),
  )
  const lines = Object.fromEntries(
    Object.entries(now.lines).flatMap(([name, each]) => {
      const ids = idsOf(saved[name])
      const before = sent.lines[name] ?? openLines(each.saved)
      const { blank } = before
      // A blank row was not sent: it is removed, unless it has been filled since.
      const drop = (lines: Lines) => (blank === undefined ? lines : dropLine(lines, blank, 'delete'))
      const later = linesSinceSave(drop(before), each.blank === blank ? drop(each) : each, ids)
      return isChanged(later) || later.blank !== undefined ? [[name, later]] : []
    }),
  )
  if (Object.keys(values).length + Object.keys(lines).length === 0) return null
  return { baseVersion: typeof saved['version'] === 'number' ? saved['version'] : 0, values, lines }
}

const idsOf = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.filter((id): id is number => typeof id === 'number') : []

/** The changes to rows since they were sent, with the ids they have now: the server creates new rows in the order they were sent. */
function linesSinceSave(sent: Lines, now: Lines, ids: readonly number[]): Lines {
  const made = ids.filter((id) => !sent.rows.includes(id) && !sent.saved.includes(id)).toSorted((a, b) => a - b)
  const fresh = sent.rows.filter((row) => row < 0)
  const idOf = (row: number): number | undefined => {
    if (row > 0) return ids.includes(row) ? row : undefined
    return made.length === fresh.length ? made[fresh.indexOf(row)] : undefined
  }
  const gone = sent.rows.filter((row) => !now.rows.includes(row))
  const dropped = gone.reduce<Lines>(
    (rest, row) => {
      const id = idOf(row)
      return id === undefined ? rest : dropLine(rest, id, now.dropped[row] ?? 'delete')
    },
    { ...openLines(ids), blank: now.blank },
  )
  return now.rows.reduce((rest, row) => {
    const typed = now.values[row] ?? {}
    // A new row keeps its number, so that it is still the one being edited.
    if (!sent.rows.includes(row)) return editLine(linkLine(rest, row), row, typed)
    const id = idOf(row)
    return id === undefined ? rest : editLater(rest, id, typed, sent.values[row] ?? {})
  }, dropped)
}

function editLater(lines: Lines, id: number, now: Values, sent: Values): Lines {
  const newer = Object.entries(now).filter(([name, value]) => !sameValue(value, sent[name]))
  return newer.length === 0 ? lines : editLine(lines, id, Object.fromEntries(newer))
}
