import { badRequest } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import type { Grouping } from './item.ts'

/** The items a row is grouped by. */
export type GroupSet = readonly Grouping[]

/** All sets of a call, in the requested order; a call without sets has one, with all items. */
export interface GroupSets {
  /** Whether the rows say which set they belong to. */
  readonly isAsked: boolean
  readonly all: readonly GroupSet[]
  /** Position of the set whose mark this is. */
  indexOf(mark: unknown): number
  /** SQL for the position of the set whose mark this is. */
  rank(mark: Sql<unknown>): Sql<unknown>
  /**
   * The sets by the many2many links they join. A joined link counts a record once per linked value, so sets without it are
   * grouped from other rows.
   */
  readonly parts: readonly SetPart[]
}

export interface SetPart {
  readonly links: ReadonlySet<string>
  readonly sets: readonly GroupSet[]
}

/** BAD_REQUEST if `asked` names an unknown item or the same set twice. */
export function groupSets(items: readonly Grouping[], asked: readonly (readonly string[])[] | undefined): GroupSets {
  if (asked && asked.length > LIMITS.groupSets)
    throw badRequest('limit_exceeded', `At most ${LIMITS.groupSets} sets can be asked for at once.`)
  const all = asked?.map((names) => parseSet(items, names)) ?? [items]
  const marks = all.map((set) => markOf(items, set))
  const twice = marks.findIndex((mark, index) => marks.indexOf(mark) !== index)
  if (twice >= 0)
    throw badRequest('input_invalid', `The set of ${asked?.[twice]?.join(', ').slice(0, 80)} is asked for twice.`)
  const linksOf = (set: GroupSet) => set.flatMap(({ link }) => link ?? [])
  const kinds = new Set(all.map((set) => linksOf(set).join()))
  return {
    isAsked: asked !== undefined,
    all,
    indexOf: (mark) => marks.indexOf(Number(mark)),
    rank: (mark) => sql`array_position(${sql.val(marks)}::int[], ${mark})`,
    parts: [...kinds].map((kind) => {
      const sets = all.filter((set) => linksOf(set).join() === kind)
      return { links: new Set(linksOf(sets[0]!)), sets }
    }),
  }
}

function parseSet(items: readonly Grouping[], names: readonly string[]): GroupSet {
  const unknown = names.find((name) => !items.some(({ field }) => field.name === name))
  if (unknown !== undefined)
    throw badRequest('group_invalid', `${unknown.slice(0, 80)} is in a set, but not among the items of groupby.`)
  return items.filter(({ field }) => names.includes(field.name))
}

/** A bit for every item that the set leaves out. */
const markOf = (items: readonly Grouping[], set: GroupSet): number =>
  items.reduce((mark, item, index) => mark + (set.includes(item) ? 0 : bitOf(index)), 0)

const bitOf = (index: number): number => 2 ** index

/** The mark of a row of these sets. */
export function markSql(
  items: readonly Grouping[],
  { sets }: SetPart,
  key: (item: Grouping) => Sql<unknown>,
): Sql<unknown> {
  const [only, ...others] = sets
  if (others.length === 0) return sql`${markOf(items, only!)}::int`
  const bits = items.map((item, index) =>
    sets.some((set) => set.includes(item))
      ? sql`grouping(${key(item)}) * ${bitOf(index)}::int`
      : sql`${bitOf(index)}::int`,
  )
  return sql`${sql.join(bits, sql` + `)}`
}

export function groupBySql({ sets }: SetPart, key: (item: Grouping) => Sql<unknown>): Sql<unknown> {
  const [only, ...others] = sets
  const columns = (set: GroupSet) => sql.join(set.map(key))
  if (others.length > 0) {
    const each = sets.map((set) => (set.length === 0 ? sql`()` : sql`(${columns(set)})`))
    return sql`group by grouping sets (${sql.join(each)})`
  }
  return only!.length === 0 ? sql`` : sql`group by ${columns(only!)}`
}
