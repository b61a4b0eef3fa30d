import type { ArchNode } from '../../../../kernel/view/arch/arch.ts'

export const isElement = (node: ArchNode | string): node is ArchNode => typeof node !== 'string'

/** The child elements of a node, without the texts between them. */
export const elementsOf = (node: ArchNode): readonly ArchNode[] => node.children.filter(isElement)
