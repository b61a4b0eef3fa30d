import type { Env } from '../../env.ts'
import type { Model } from '../../model/registry.ts'
import { type ArchNode, elementsOf, isElement, type ViewType } from '../arch/arch.ts'
import { COUNT } from '../arch/field-attributes.ts'
import { INLINE_VIEWS, mayHold } from '../arch/language.ts'
import type { ViewTables } from '../tables.ts'
import { checkAttributes } from './check-attributes.ts'
import { ELEMENT_CHECKS } from './check-element.ts'
import { checkVocabulary } from './check-vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The place in a view that is being checked. */
export interface ArchPlace {
  readonly env: Env
  readonly tables: ViewTables
  readonly type: ViewType
  readonly model: Model
  /** Model of the record whose form holds this view; null at the top, where it is not known. */
  readonly parent: Model | null
  /** Known names of the view language, for all elements of one check. */
  readonly vocabulary: Vocabulary
  /** `attribute`: the wrong one, which may come from another view than its element. */
  readonly report: (node: ArchNode, reason: string, attribute?: string) => void
  /** Reports an unknown name. */
  readonly unknown: (node: ArchNode, reason: string, attribute: string, hint: () => string) => void
}

/**
 * Reports everything in a resolved view that does not match the existing models, groups and actions. It yields after each element, so
 * that other requests get their turn.
 */
export function* checkArch(place: ArchPlace, root: ArchNode): Generator<void> {
  if (root.tag !== place.type) {
    place.report(root, `The root of a ${place.type} view is <${place.type}>, not <${root.tag}>.`)
    return
  }
  checkVocabulary(place, root, true)
  checkAttributes(place, root)
  yield* checkChildren(place, root)
}

function* checkChildren(place: ArchPlace, node: ArchNode): Generator<void> {
  for (const child of elementsOf(node)) {
    if (!mayHold(place.env.registry, place.type, child.tag)) {
      place.report(child, `A ${place.type} view has no element <${child.tag}>.`)
      continue
    }
    checkVocabulary(place, child, false)
    checkAttributes(place, child)
    ELEMENT_CHECKS.get(child.tag)?.(place, child)
    yield
    if (child.tag === 'field') yield* checkField(place, child)
    else yield* checkChildren(place, child)
  }
}

function* checkField(place: ArchPlace, node: ArchNode): Generator<void> {
  const { env, model, report } = place
  const name = node.attrs['name'] ?? ''
  if (name === COUNT) return
  const field = model.fields.get(name)
  if (field === undefined) {
    report(node, name === '' ? '<field> needs a name.' : `There is no field ${name} in ${model.name}.`)
    return
  }
  if (field.secret && place.type !== 'form') report(node, `${name} is never shown; it can be set in a form only.`)
  const target = field.relation === null ? undefined : env.registry.model(field.relation.target)
  for (const child of node.children) {
    if (!isElement(child)) continue
    if (!INLINE_VIEWS.has(child.tag)) report(child, `Inside a field there are views, not <${child.tag}>.`)
    else if (target === undefined) report(child, `${name} does not link to records, so it holds no view.`)
    else yield* checkArch({ ...place, type: child.tag, model: target, parent: model }, child)
  }
}
