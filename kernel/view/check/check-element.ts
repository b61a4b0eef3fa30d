import { fullXmlid } from '../../data/xmlid.ts'
import type { Measure } from '../../model/fields/field.ts'
import type { ArchNode } from '../arch/arch.ts'
import { COUNT } from '../arch/field-attributes.ts'
import { isDay, isGroupable, isSearchable } from '../arch/field-traits.ts'
import { GRANULARITIES } from '../arch/language.ts'
import type { ArchPlace } from './check-arch.ts'
import { checkDomain } from './check-attributes.ts'

type Check = (place: ArchPlace, node: ArchNode) => void

/** Checks of single elements, beyond those of the attributes that all elements have. */
export const ELEMENT_CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['button', checkButton],
  ['filter', checkFilter],
  ['field', checkFieldUse],
])

function checkButton({ model, tables, report }: ArchPlace, node: ArchNode): void {
  const { type, name = '', special } = node.attrs
  if (special === 'cancel' || special === 'save') return
  if (type === 'object') {
    if (!model.actions.has(name)) report(node, `${model.name} has no action ${name || '(a button needs a name)'}.`)
  } else if (type === 'action') {
    const xmlid = fullXmlid(node.addon, name)
    if (xmlid === null || !tables.actionIdByXmlid.has(xmlid)) report(node, `There is no action ${name}.`)
  } else report(node, 'A button has type="object" or type="action".')
}

function checkFilter(place: ArchPlace, node: ArchNode): void {
  const { model, report } = place
  const { name = '', domain, date, group_by: group } = node.attrs
  if (domain === undefined && date === undefined && group === undefined) {
    report(node, `Filter ${name} needs a domain, a date or a group_by.`)
  }
  checkDomain(place, model.name, node, 'domain')
  const day = date === undefined ? undefined : model.fields.get(date)
  if (date !== undefined && !(day !== undefined && isDay(day) && isSearchable(day))) {
    report(node, `Filter ${name}: ${date} is no date of ${model.name}.`)
  }
  if (group !== undefined) checkGroup(place, node, group)
}

function checkGroup({ model, report }: ArchPlace, node: ArchNode, group: string): void {
  const [name = '', granularity] = group.split(':')
  const field = model.fields.get(name)
  if (field === undefined || !isGroupable(field)) report(node, `${model.name} cannot be grouped by ${name}.`)
  else if (granularity !== undefined && !(isDay(field) && GRANULARITIES.has(granularity))) {
    report(node, `${name} cannot be grouped by ${granularity}.`)
  }
}

/** Attributes of a column, each of which requests the measure of its name. */
const AGGREGATES: readonly Measure[] = ['sum', 'avg', 'min', 'max']

function checkFieldUse(place: ArchPlace, node: ArchNode): void {
  const { env, model, type, report } = place
  const field = model.fields.get(node.attrs['name'] ?? '')
  if (field === undefined) return
  for (const measure of AGGREGATES) {
    if (type === 'list' && node.attrs[measure] !== undefined && !field.type.measures.includes(measure)) {
      report(node, `${field.name} has no ${measure}.`)
    }
  }
  if (type === 'graph' || type === 'pivot') checkMeasureOrGroup(place, node)
  if (type === 'search') {
    if (!isSearchable(field)) report(node, `${field.name} cannot be searched.`)
    checkDomain(place, model.name, node, 'filter_domain')
  } else if (field.relation !== null && env.registry.model(field.relation.target)) {
    checkDomain(place, field.relation.target, node, 'domain')
  }
}

function checkMeasureOrGroup(place: ArchPlace, node: ArchNode): void {
  const { name = '', type, interval } = node.attrs
  const field = place.model.fields.get(name)
  if (field === undefined || name === COUNT) return
  if (type === 'measure') {
    if (field.type.measures.length === 0) place.report(node, `${name} cannot be measured.`)
  } else checkGroup(place, node, interval === undefined ? name : `${name}:${interval}`)
}
