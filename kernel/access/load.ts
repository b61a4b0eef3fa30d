import { parseDomainText } from '../domain/literal.ts'
import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'
import type { AccessLine, AccessTables, Operation, RecordRule } from './tables.ts'

/** Groups, access lines and rules as the database has them, in four queries. */
export async function loadAccess(db: Db, epoch: number): Promise<AccessTables> {
  const [groupIdByXmlid, impliedGroups, lines, rules] = await Promise.all([
    loadGroupNames(db),
    loadImplications(db),
    loadLines(db),
    loadRules(db),
  ])
  return Object.freeze({ epoch, groupIdByXmlid, impliedGroups, lines, rules, ruleData: {} })
}

async function loadGroupNames(db: Db): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ xmlid: string; id: number }>`
    select x.module || '.' || x.name as xmlid, x.res_id as id from sys_xmlid x
    join core_group g on g.id = x.res_id where x.model = 'core.group'`.execute(db)
  return new Map(rows.map((row) => [row.xmlid, row.id]))
}

/** Each group with all it implies, however many steps away. */
async function loadImplications(db: Db): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const { rows } = await sql<{ id: number; implied: number[] }>`
    with recursive reach(id, implied) as (
      select id, id from core_group
      union select reach.id, r.target_id from reach join core_group_implied_ids_rel r on r.source_id = reach.implied
    ) select id, array_agg(implied) as implied from reach group by id`.execute(db)
  return new Map(rows.map((row) => [row.id, new Set(row.implied)]))
}

interface Permissions {
  readonly perm_read: boolean
  readonly perm_write: boolean
  readonly perm_create: boolean
  readonly perm_unlink: boolean
}

const operations = (row: Permissions): Readonly<Record<Operation, boolean>> => ({
  read: row.perm_read,
  write: row.perm_write,
  create: row.perm_create,
  unlink: row.perm_unlink,
})

async function loadLines(db: Db): Promise<ReadonlyMap<string, readonly AccessLine[]>> {
  const { rows } = await sql<Permissions & { id: number; model: string; group_id: number | null }>`
    select id, model, group_id, perm_read, perm_write, perm_create, perm_unlink
    from sys_access where active order by id`.execute(db)
  return groupByModel(
    rows.map((row) => ({ id: row.id, model: row.model, groupId: row.group_id, allows: operations(row) })),
  )
}

async function loadRules(db: Db): Promise<ReadonlyMap<string, readonly RecordRule[]>> {
  const { rows } = await sql<
    Permissions & { id: number; name: string; model: string; domain: string; group_ids: number[] }
  >`
    select id, name, model, domain, perm_read, perm_write, perm_create, perm_unlink,
      array(select target_id from sys_rule_group_ids_rel where source_id = r.id order by 1) as group_ids
    from sys_rule r where active order by id`.execute(db)
  return groupByModel(
    rows.map(({ id, name, model, group_ids, domain, ...permissions }) => ({
      id,
      name,
      model,
      groupIds: group_ids,
      applies: operations(permissions),
      domain: parseRule(domain),
    })),
  )
}

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
