import type { Field } from '../../model/fields/field.ts'
import type { Model, Registry } from '../../model/registry.ts'
import type { ArchNode } from '../arch/arch.ts'
import { isLong, isMany, shownFields } from '../arch/field-traits.ts'
import { element, fieldNode } from './element.ts'
import { inlineListOf, nameOf } from './list.ts'

/** The name on top, short values in two columns, lines and long text in pages, a state as steps in the header. */
export function formOf(model: Model, registry: Registry): ArchNode {
  const name = nameOf(model)
  const state = model.fields.get('state')
  const steps = state?.selection ? state : undefined
  const fields = shownFields(model).filter((field) => ![name, 'active', steps?.name].includes(field.name))
  const tags = fields.filter((field) => field.relation?.kind === 'many2many')
  const short = fields.filter((field) => !isMany(field) && !isLong(field))
  const cells = [...short, ...tags].map((field) => fieldNode(field.name, isTagged(field) ? { widget: 'tags' } : {}))
  const middle = Math.ceil(cells.length / 2)
  const pages = [
    ...fields.filter((field) => field.relation?.kind === 'one2many').map((field) => linesPage(field, registry)),
    ...fields.filter(isLong).map((field) => page(field, fieldNode(field.name, { nolabel: '1' }))),
  ]
  const groups = [cells.slice(0, middle), cells.slice(middle)].filter((half) => half.length > 0)
  return element('form', {}, [
    ...(steps ? [element('header', {}, [fieldNode(steps.name, { widget: 'statusbar' })])] : []),
    element('sheet', {}, [
      element('h1', {}, [fieldNode(name)]),
      ...(groups.length > 0
        ? [
            element(
              'group',
              {},
              groups.map((half) => element('group', {}, half)),
            ),
          ]
        : []),
      ...(pages.length > 0 ? [element('notebook', {}, pages)] : []),
    ]),
  ])
}

const isTagged = (field: Field): boolean => field.relation?.kind === 'many2many'

const page = (field: Field, content: ArchNode): ArchNode =>
  element('page', { name: field.name, string: field.label }, [content])

function linesPage(field: Field, registry: Registry): ArchNode {
  const { relation } = field
  const target = relation === null ? undefined : registry.model(relation.target)
  const inverse = relation?.kind === 'one2many' ? relation.inverse : null
  const inside = target === undefined ? [] : [inlineListOf(target, inverse)]
  return page(field, fieldNode(field.name, { nolabel: '1' }, inside))
}
