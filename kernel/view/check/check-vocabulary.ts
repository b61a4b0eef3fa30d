import { hintsAt } from '../../model/similar.ts'
import type { ArchNode } from '../arch/arch.ts'
import type { ViewProblem } from '../inherit/resolve.ts'
import type { ArchPlace } from './check-arch.ts'

/** Whether an attribute is a script or style, for which there is a separate message. */
export const isScripted = (attribute: string): boolean => /^on[a-z]/.test(attribute) || attribute === 'style'

const OF_SPEC: ReadonlySet<string> = new Set(['name', 'position', 'mode'])

/** The unknown attributes of an extension's element for a field. */
export const unknownInSpec = ({ tag, attrs }: ArchNode): readonly Pick<ViewProblem, 'reason' | 'hint'>[] =>
  tag !== 'field'
    ? []
    : Object.keys(attrs)
        .filter((name) => !OF_SPEC.has(name))
        .map((name) => ({
          reason: `A change to a field has no attribute "${name}".`,
          hint: () => hintsAt(OF_SPEC)(name),
        }))

/**
 * Reports unknown attributes and widgets: a misspelt `groups` would hide nothing. Views that were stored before are still shown, so
 * these mistakes count only for views that are being installed or saved.
 */
export function checkVocabulary({ vocabulary, type, unknown }: ArchPlace, node: ArchNode, isRoot: boolean): void {
  const known = vocabulary.attributes(type, node.tag, isRoot)
  for (const name of Object.keys(node.attrs)) {
    if (known.has(name) || isScripted(name)) continue
    unknown(node, `<${node.tag}> has no attribute "${name}" in a ${type} view.`, name, () => known.hint(name))
  }
  const { widget } = node.attrs
  if (widget === undefined || !known.has('widget')) return
  const widgets = vocabulary.widgets()
  if (!widgets.has(widget)) unknown(node, `There is no widget "${widget}".`, 'widget', () => widgets.hint(widget))
}
