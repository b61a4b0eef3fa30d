import { rulesRead } from '../../access/rights-change.ts'
import { asSomebody, ruleDomain, ruleParser } from '../../access/rules.ts'
import type { DomainNode } from '../../domain/ast.ts'
import { evaluateDomain, type RecordSource, type RecordValues } from '../../domain/evaluate.ts'
import { createZone } from '../../domain/zone.ts'
import { asKernel, type Env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { inBaseLanguage } from '../../i18n/language.ts'
import type { Model } from '../../model/registry.ts'
import { EVENTS_PER_MODEL } from '../../outbox.ts'
import { modelOf } from '../statement/scope.ts'
import { search } from './search.ts'

/** The fields of a model that conditions compare, and the relations they follow. */
interface Needs {
  readonly model: string
  readonly fields: Set<string>
  readonly links: Map<string, Needs>
}

/** Steps up a tree of records, or around a circle of them. */
const MAX_DEPTH = 32

/** Where a remembered record keeps its linked records, by the name of the relation; no field has such a name. */
const LINKS = '.links'

/**
 * What any rule for reading asks of these records: the values of fields, and the linked records with theirs. `couldRead` tells from it who
 * could read a record before it was deleted or changed.
 */
export async function readForRules(
  env: Env,
  model: Model,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RecordValues>> {
  const rules = (env.access.rules.get(model.name) ?? []).filter((rule) => rule.applies.read)
  if (rules.length === 0) return new Map()
  const needs = emptyNeeds(model.name)
  const parse = ruleParser(asSomebody(env), model)
  for (const rule of rules) for (const node of parsedOrNone(() => parse(rule))) collectNeeds(node, needs)
  return readNeeds(inBaseLanguage(asKernel(env)), needs, ids, 0)
}

/** The same before a change of some fields; of no record where no rule reads any of them, since the change hides none. */
export const readBeforeChange = async (
  env: Env,
  model: Model,
  ids: readonly number[],
  changed: ReadonlySet<string>,
): Promise<ReadonlyMap<number, RecordValues>> =>
  ids.length <= EVENTS_PER_MODEL && rulesRead(env, model.name, changed) ? readForRules(env, model, ids) : new Map()

/** Through a rule that has become invalid, for example because a field was removed, nobody reads anything. */
function parsedOrNone(parse: () => DomainNode): readonly DomainNode[] {
  try {
    return [parse()]
  } catch (error) {
    if (error instanceof AppError && error.code === 'BAD_REQUEST') return []
    throw error
  }
}

/** Whether the rules let this user read a record as it was, going by what was remembered of it. */
export function couldRead(env: Env, model: Model, before: RecordValues | null): boolean {
  const rule = ruleDomain(env, model, 'read')
  if (rule === null) return true
  if (before === null || asksForOthers(rule)) return false
  return evaluateDomain(rule, before, { ...REMEMBERED, zone: createZone(env.tz) })
}

/** Whether a rule asks for ancestors of records beyond those remembered (`parent_of`). What it says of this one is unknown. */
function asksForOthers(node: DomainNode): boolean {
  switch (node.kind) {
    case 'constant':
    case 'compare':
      return false
    case 'and':
    case 'or':
      return node.items.some(asksForOthers)
    case 'not':
    case 'rewritten':
      return asksForOthers(node.item)
    case 'any':
      return asksForOthers(node.where)
    case 'hierarchy':
      return node.direction === 'parent_of' || asksForOthers(node.start)
  }
}

const REMEMBERED: Omit<RecordSource, 'zone'> = {
  linked: (field, record) => (record[LINKS] as Readonly<Record<string, readonly RecordValues[]>>)?.[field.name] ?? [],
  records: () => [],
  rule: () => null,
}

const emptyNeeds = (model: string): Needs => ({ model, fields: new Set(), links: new Map() })

function collectNeeds(node: DomainNode, needs: Needs): void {
  switch (node.kind) {
    case 'constant':
      break
    case 'and':
    case 'or':
      for (const item of node.items) collectNeeds(item, needs)
      break
    case 'not':
    case 'rewritten':
      collectNeeds(node.item, needs)
      break
    case 'compare':
      needs.fields.add(node.field.name)
      break
    case 'any': {
      const linked = needs.links.get(node.field.name) ?? emptyNeeds(node.target)
      needs.links.set(node.field.name, linked)
      collectNeeds(node.where, linked)
      break
    }
    case 'hierarchy':
      // Each ancestor is asked the same, up to the root.
      needs.links.set(node.parentField.name, needs)
      collectNeeds(node.start, needs)
  }
}

async function readNeeds(
  env: Env,
  { model: name, fields, links }: Needs,
  ids: readonly number[],
  depth: number,
): Promise<ReadonlyMap<number, RecordValues>> {
  if (ids.length === 0 || depth === MAX_DEPTH) return new Map()
  const { records } = await search(env, modelOf(env, name), {
    domain: [['id', 'in', ids]],
    fields: [...fields, ...links.keys()],
    archived: 'include',
    isTrusted: true,
  })
  const found = new Map(records.map((record) => [record['id'] as number, record]))
  if (links.size === 0) return found
  for (const record of records) record[LINKS] = {}
  for (const [link, needs] of links) {
    const linked = await readNeeds(
      env,
      needs,
      [...new Set(records.flatMap((record) => idsIn(record[link])))],
      depth + 1,
    )
    for (const record of records)
      Object.assign(record[LINKS] as object, { [link]: idsIn(record[link]).flatMap((id) => linked.get(id) ?? []) })
  }
  return found
}

/** Ids of a relation as it is read: `[id, name]` for one record, ids for several. */
function idsIn(value: unknown): readonly number[] {
  if (!Array.isArray(value)) return typeof value === 'number' ? [value] : []
  return typeof value[1] === 'string' ? [value[0] as number] : (value as number[])
}
