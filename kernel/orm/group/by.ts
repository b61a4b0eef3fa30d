import { isSearched } from '../../domain/search-operand.ts'
import { badRequest } from '../../errors.ts'
import { columnOf } from '../statement/scope.ts'
import { dateItem } from './date.ts'
import type { Grouping, ParsedItem } from './item.ts'
import { relationItem } from './relation.ts'
import { joinLinks, resolvePath, type Sources } from './sources.ts'
import { valueItem } from './value.ts'

/**
 * Parses `path` or `path:granularity`. BAD_REQUEST for a field that cannot be grouped by, ACCESS_DENIED for one that may not
 * be read.
 */
export function groupItem(sources: Sources, name: string, index: number, weekStart: number): Grouping {
  const [path = '', ...granularity] = name.split(':')
  const target = resolvePath(sources, path)
  const { type, column, relation } = target.field
  if (!type.groupable || isSearched(target.field)) {
    throw badRequest('group_invalid', `Records of ${sources.root.model.name} cannot be grouped by ${path}.`)
  }
  const parsed: ParsedItem = { name, path, target, column: `key:${index}`, alias: `r${index}` }
  if (type.comparison === 'date' || type.comparison === 'datetime') {
    return dateItem(parsed, granularity.length === 0 ? 'month' : granularity.join(':'), weekStart)
  }
  if (granularity.length > 0)
    throw badRequest('group_invalid', `${path} is no date, so there is no ${name.slice(0, 80)}.`)
  if (relation?.kind === 'many2many') {
    const { name: link, id: linked } = joinLinks(sources, target)
    return { ...relationItem(parsed, linked, (id) => [path, 'in', [id]]), link }
  }
  if (relation !== null) return relationItem(parsed, columnOf(target.scope, column!), (id) => [path, '=', id])
  return valueItem(parsed)
}
