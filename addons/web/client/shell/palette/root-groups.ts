import type { Acts } from '../../core/acts.ts'
import { formatRelative } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { appIcon } from '../../router/menus.ts'
import { services } from '../../services.ts'
import { actGroup, commandEntries } from './acts-entries.ts'
import { createEntries, entriesFor } from './create-entries.ts'
import { importEntries } from './import-entries.ts'
import { fits, matchingGroups, type PaletteEntry, type PaletteGroup, rank } from './palette-entries.ts'
import { placeEntries } from './places.ts'
import { type RecentRecord, recentRecords } from './recent.ts'
import { switchEntry, switchGroups } from './switches.ts'

const MAX_RECORDS = 10
/** Records of one model among those of all. */
const MAX_PER_MODEL = 4
const MAX_PLACES = 8
const MAX_RECENT = 6
const MAX_CREATED = 3

/** The text after `>`; null without one, when everything is searched. */
export const actionText = (typed: string): string | null => (typed.startsWith('>') ? typed.slice(1).trim() : null)

/** The groups of the palette outside of any scope. `found` are the records of the last answer. */
export function rootGroups(typed: string, found: readonly PaletteEntry[], acts: Acts | null): readonly PaletteGroup[] {
  const { bootstrap } = services().session
  const text = typed.trim()
  const actions = actionText(text)
  const own = acts === null ? [] : [actGroup(acts)]
  if (actions !== null) return matchingGroups([...own, createGroup(), actionGroup(actions !== '')], actions)
  if (text === '')
    return matchingGroups(
      [
        ...own,
        { label: t('Recent'), entries: recentEntries(recentRecords.value).slice(0, MAX_RECENT) },
        { label: t('Apps'), entries: placeEntries(bootstrap).filter(({ module }) => module !== undefined) },
        actionGroup(false),
      ],
      '',
    )
  return [...matchingGroups(own, text), ...inOrder(text, found)]
}

/** Records before entries of the page, unless one of those starts with the typed text and so is probably meant. */
function inOrder(text: string, found: readonly PaletteEntry[]): readonly PaletteGroup[] {
  const { bootstrap } = services().session
  const records = rank(few(found), text, undefined, 0.5).slice(0, MAX_RECORDS)
  const parts = matchingGroups(
    [createGroup(), { label: t('Go to'), entries: placeEntries(bootstrap) }, actionGroup(true)],
    text,
    MAX_PLACES,
  ).toSorted((a, b) => bestOf(b, text) - bestOf(a, text))
  const isPartMeant = parts[0] !== undefined && bestOf(parts[0], text) === 3
  const list = records.length === 0 ? [] : [{ label: t('Records'), entries: records }, ...createdFor(records[0])]
  return isPartMeant ? [parts[0]!, ...list, ...parts.slice(1)] : [...list, ...parts]
}

/** At most `MAX_PER_MODEL` records of each model, so that other models have room. */
const few = (found: readonly PaletteEntry[]): readonly PaletteEntry[] => {
  const modelOf = ({ key }: PaletteEntry) => key.split(' ')[0]
  return found.filter(
    (entry, at) => found.slice(0, at).filter((other) => modelOf(other) === modelOf(entry)).length < MAX_PER_MODEL,
  )
}

const bestOf = ({ entries }: PaletteGroup, text: string): number =>
  Math.max(0, ...entries.map(({ label }) => fits(label, text)))

const createGroup = (): PaletteGroup => ({ label: t('Create'), entries: createEntries(services().session.bootstrap) })

/** Commands. Lists to import into, companies, themes and languages are found by name; without a text one entry leads to them. */
const actionGroup = (isSearched: boolean): PaletteGroup => ({
  label: t('Actions'),
  entries: [
    ...commandEntries(),
    ...(isSearched ? importEntries(services().session.bootstrap) : []),
    ...(isSearched
      ? switchGroups().flatMap(({ entries }) => entries.map((entry) => ({ ...entry, note: entry.search ?? '' })))
      : []),
    switchEntry(),
  ],
})

/** What can be created for the record that matches best: “New quotation for Ribeira Wines”. */
function createdFor(entry: PaletteEntry | undefined): readonly PaletteGroup[] {
  const [model = '', id] = entry?.key.split(' ') ?? []
  if (entry === undefined || id === undefined) return []
  const entries = entriesFor(services().session.bootstrap, model, [Number(id), entry.label]).slice(0, MAX_CREATED)
  return entries.length === 0 ? [] : [{ label: t('Create'), entries }]
}

const recentEntries = (recent: readonly RecentRecord[]): readonly PaletteEntry[] =>
  recent.map(({ href, name, kind, module, at, model, id }) => ({
    key: `${model} ${id}`,
    label: name,
    note: kind,
    kind: formatRelative(at, new Date()),
    icon: appIcon(module),
    module,
    href,
  }))
