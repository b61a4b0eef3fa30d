import { useTimes } from './used.ts'

/** One entry of the palette: a link, a command, or a way into a part of the palette. */
export interface PaletteEntry {
  /** Identifies the entry in the list of recently used ones; independent of the language. */
  readonly key: string
  readonly label: string
  /** Secondary text next to the label. */
  readonly note?: string
  /** Text at the end of the entry. */
  readonly kind?: string
  readonly icon: string
  /** Renders the icon as the tile of this application. */
  readonly module?: string
  readonly keys?: string
  /** Words that find it besides label and note. */
  readonly search?: string
  readonly isDanger?: boolean
  /** Whether it is the current choice: the current company or theme. */
  readonly isChecked?: boolean
  readonly href?: string
  run?(): unknown
  /** The scope that Tab opens; choosing an entry without link and command opens it too. */
  readonly scope?: PaletteScope
}

export interface PaletteGroup {
  readonly label: string
  readonly entries: readonly PaletteEntry[]
}

/** A part of the palette with a chip before the text: a record with what belongs to it, or a command that asks for a record. */
export interface PaletteScope {
  readonly label: string
  readonly icon: string
  readonly placeholder: string
  /** Entries that need no request; those that match the text are shown. */
  groups(): readonly PaletteGroup[]
  /** Records to request from the server. */
  readonly find?: ScopeSearch
}

export interface ScopeSearch {
  readonly heading: string
  readonly models: readonly string[]
  readonly of?: { readonly model: string; readonly id: number }
  /** Requests the records; default: those of the models. */
  ask?(text: string, signal: AbortSignal): Promise<readonly FoundRecord[]>
  /** The entry of a record in this scope. Default: a link to its form. */
  toEntry?(record: FoundRecord): PaletteEntry
}

/** A record that the server found, as far as entries need it. */
export interface FoundRecord {
  readonly model: string
  /** The kind of record; the name of a menu, such as “My Activities”, may not tell it. */
  readonly label: string
  readonly id: number
  readonly name: string
  /** Values that tell it apart from others: customer, stage, amount. */
  readonly about: string
}

/**
 * Score of a label for the typed text, 0 for no match. Every word must occur; matches at the start of a word score
 * higher.
 */
export function fits(label: string, typed: string): number {
  const text = label.toLowerCase()
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (!words.every((word) => text.includes(word))) return 0
  if (text.startsWith(words[0] ?? '')) return 3
  return words.every((word) => text.split(/\s+/).some((part) => part.startsWith(word))) ? 2 : 1
}

const scoreOf = ({ label, note = '', search = '' }: PaletteEntry, typed: string): number =>
  Math.max(
    fits(label, typed),
    Math.min(1, fits(`${label} ${note}`, typed)),
    Math.min(2, search === '' ? 0 : fits(`${search} ${label}`, typed)),
  )

/** Weight of recent use in the score: as much as a better match at first, half of that after a week. */
const USE_WEIGHT = 1.5
const HALF_LIFE_MS = 7 * 86_400_000

export const useBonus = (usedAt: number | undefined, now: number): number =>
  usedAt === undefined ? 0 : USE_WEIGHT * 0.5 ** (Math.max(0, now - usedAt) / HALF_LIFE_MS)

/** Matching entries, best first: by how well they match and by how recently they were used. */
export function rank(
  entries: readonly PaletteEntry[],
  typed: string,
  used: ReadonlyMap<string, number> = useTimes(),
  least = 0,
): readonly PaletteEntry[] {
  const now = Date.now()
  return entries
    .map((entry) => ({ entry, score: Math.max(least, scoreOf(entry, typed)) }))
    .filter(({ score }) => score > 0)
    .map(({ entry, score }) => ({ entry, score: score + useBonus(used.get(entry.key), now) }))
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
}

/** Groups with the entries that match the text, without empty groups. */
export const matchingGroups = (
  groups: readonly PaletteGroup[],
  typed: string,
  max = Infinity,
): readonly PaletteGroup[] =>
  groups
    .map(({ label, entries }) => ({ label, entries: typed === '' ? entries : rank(entries, typed).slice(0, max) }))
    .filter(({ entries }) => entries.length > 0)
