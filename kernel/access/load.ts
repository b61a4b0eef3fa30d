import { parseDomainText } from '../domain/literal.ts'
import { listColumn } from '../sql/list-column.ts'
import { sql } from '../sql/sql.ts'
import type { AccessTables, Operation } from './tables.ts'

interface GroupName {
  readonly xmlid: string
  readonly id: number
}

/** A group with all it implies, however many steps away. */
interface Implication {
  readonly id: number
  readonly implied: readonly number[]
}

interface Permissions {
  readonly perm_read: boolean
  readonly perm_write: boolean
  readonly perm_create: boolean
  readonly perm_unlink: boolean
}

interface LineRow extends Permissions {
  readonly id: number
  readonly model: string
  readonly group_id: number | null
}

interface RuleRow extends Permissions {
  readonly id: number
  readonly name: string
  readonly model: string
  readonly domain: string
  readonly group_ids: readonly number[]
}

/** Groups, access lines and rules as the database has them. */
export interface AccessRow {
  readonly group_names: readonly GroupName[]
  readonly implications: readonly Implication[]
  readonly lines: readonly LineRow[]
  readonly rules: readonly RuleRow[]
}

/** The columns of an `AccessRow`, for the statement that reads the epoch too (`module/stored-state.ts`). */
export const ACCESS_COLUMNS = sql`
  ${listColumn(sql<GroupName>`
    select x.module || '.' || x.name as xmlid, x.res_id as id from sys_xmlid x
    join core_group g on g.id = x.res_id where x.model = 'core.group'`)} as group_names,
  ${listColumn(sql<Implication>`
    with recursive reach(id, implied) as (
      select id, id from core_group
      union select reach.id, r.target_id from reach join core_group_implied_ids_rel r on r.source_id = reach.implied
    ) select id, array_agg(implied) as implied from reach group by id`)} as implications,
  ${listColumn(sql<LineRow>`
    select id, model, group_id, perm_read, perm_write, perm_create, perm_unlink
    from sys_access where active order by id`)} as lines,
  ${listColumn(sql<RuleRow>`
    select id, name, model, domain, perm_read, perm_write, perm_create, perm_unlink,
      array(select target_id from sys_rule_group_ids_rel where source_id = r.id order by 1) as group_ids
    from sys_rule r where active order by id`)} as rules`

/** Before base is installed the tables of groups do not exist. */
export const NO_ACCESS: AccessRow = { group_names: [], implications: [], lines: [], rules: [] }

export const buildAccessTables = (row: AccessRow, epoch: number): AccessTables =>
  Object.freeze({
    epoch,
    groupIdByXmlid: new Map(row.group_names.map(({ xmlid, id }) => [xmlid, id])),
    impliedGroups: new Map(row.implications.map(({ id, implied }) => [id, new Set(implied)])),
    lines: groupByModel(
      row.lines.map((line) => ({ id: line.id, model: line.model, groupId: line.group_id, allows: operations(line) })),
    ),
    rules: groupByModel(
      row.rules.map(({ id, name, model, group_ids, domain, ...permissions }) => ({
        id,
        name,
        model,
        groupIds: group_ids,
        applies: operations(permissions),
        domain: parseRule(domain),
      })),
    ),
    ruleData: {},
  })

const operations = (row: Permissions): Readonly<Record<Operation, boolean>> => ({
  read: row.perm_read,
  write: row.perm_write,
  create: row.perm_create,
  unlink: row.perm_unlink,
})

/**
 * Used for a rule whose stored domain cannot be parsed (the model's check prevents that): it matches no record, so access
 * fails closed.
 */
const NO_RECORD: readonly unknown[] = [['id', 'in', []]]

function parseRule(text: string): readonly unknown[] {
  try {
    return parseDomainText(text)
  } catch {
    return NO_RECORD
  }
}

function groupByModel<T extends { readonly model: string }>(items: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(item.model, [...(groups.get(item.model) ?? []), item])
  return groups
}
