import { fullXmlid } from '../../data/xmlid.ts'
import { parseDomainText } from '../../domain/literal.ts'
import { AppError } from '../../errors.ts'
import { ExpressionError, namesOf, parseExpression } from '../../expression/parse.ts'
import type { ArchNode } from '../arch/arch.ts'
import { isConditionAttribute } from '../arch/condition-attributes.ts'
import { COUNT, fieldAttributes, fieldOfGroup } from '../arch/field-attributes.ts'
import { isSortable } from '../arch/field-traits.ts'
import { requiredAttributes } from '../arch/language.ts'
import type { ArchPlace } from './check-arch.ts'
import { isScripted } from './check-vocabulary.ts'

/** Checks the attributes any element may have. */
export function checkAttributes(place: ArchPlace, node: ArchNode): void {
  const { registry } = place.env
  const naming = fieldAttributes(registry, node.tag)
  for (const name of requiredAttributes(registry, node.tag)) {
    if (!node.attrs[name]) place.report(node, `<${node.tag}> needs ${name}.`)
  }
  for (const [name, value] of Object.entries(node.attrs)) {
    if (name === 'groups') checkGroups(place, node, value)
    else if (isConditionAttribute(name)) checkCondition(place, node, name, value)
    else if (naming.includes(name)) checkFieldName(place, node, name, value)
    else if (name === 'default_order') checkOrder(place, node, value)
    else if (name === 'context' || name === 'colors') checkJson(place, node, name, value)
    else if (isScripted(name)) place.report(node, `${name}: a view holds no scripts and styles.`, name)
  }
}

function checkGroups({ env, report }: ArchPlace, node: ArchNode, value: string): void {
  for (const item of value.split(',')) {
    const name = item.trim().replace(/^!/, '')
    if (!env.access.groupIdByXmlid.has(fullXmlid(node.addon, name) ?? ''))
      report(node, `There is no group ${name}.`, 'groups')
  }
}

function checkCondition({ model, parent, report }: ArchPlace, node: ArchNode, attribute: string, text: string): void {
  try {
    for (const name of namesOf(parseExpression(text))) {
      const [first, second] = name.split('.')
      const owner = first === 'parent' && second !== undefined ? parent : model
      const fieldName = second ?? first ?? ''
      if (owner !== null && !owner.fields.has(fieldName)) {
        report(
          node,
          `${attribute}="${text.slice(0, 200)}": there is no field ${fieldName} in ${owner.name}.`,
          attribute,
        )
      }
    }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    report(node, `${attribute}="${text.slice(0, 200)}": ${error.message}`, attribute)
  }
}

/** The kinds of a line across the table. */
const isLineKind = (key: string): boolean => key === 'section' || key === 'note'

function checkFieldName({ model, report }: ArchPlace, node: ArchNode, attribute: string, value: string): void {
  const name = fieldOfGroup(value)
  if (name !== COUNT && !model.fields.has(name))
    report(node, `${attribute}: there is no field ${name} in ${model.name}.`, attribute)
  else if (attribute === 'display_type' && ![...(model.fields.get(name)?.selection?.keys() ?? [])].some(isLineKind))
    report(node, `display_type: ${name} of ${model.name} is no selection with section or note.`, attribute)
}

function checkOrder({ model, report }: ArchPlace, node: ArchNode, order: string): void {
  for (const term of order.split(',')) {
    const [name = '', direction = 'asc', ...rest] = term.trim().split(/\s+/)
    const field = model.fields.get(name)
    if (field === undefined || !(isSortable(field) || name === 'id')) {
      report(node, `default_order: ${model.name} cannot be sorted by "${name}".`, 'default_order')
    } else if (rest.length > 0 || !['asc', 'desc'].includes(direction.toLowerCase())) {
      report(node, `default_order: "${term.trim()}" is not a field with asc or desc.`, 'default_order')
    }
  }
}

function checkJson({ report }: ArchPlace, node: ArchNode, attribute: string, text: string): void {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return
  } catch {
    // Reported below, like any text that is no JSON object.
  }
  report(node, `${attribute} must be a JSON object.`, attribute)
}

/** Checks the paths of a domain over records of a model; values may name anything. */
export function checkDomain({ env, report }: ArchPlace, modelName: string, node: ArchNode, attribute: string): void {
  const text = node.attrs[attribute]
  if (text === undefined) return
  try {
    for (const item of parseDomainText(text)) {
      if (!Array.isArray(item)) continue
      const problem = pathProblem(env, modelName, String(item[0]))
      if (problem !== null) report(node, `${attribute}: ${problem}`, attribute)
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    report(node, `${attribute}: ${error.message}`, attribute)
  }
}

function pathProblem({ registry }: ArchPlace['env'], modelName: string, path: string): string | null {
  let model = registry.model(modelName)
  for (const step of path.split('.')) {
    // A name after a date is a part of the date, such as its year.
    if (model === undefined) return null
    const field = model.fields.get(step)
    if (field === undefined) return `there is no field ${step} in ${model.name}.`
    model = field.relation === null ? undefined : registry.model(field.relation.target)
  }
  return null
}
