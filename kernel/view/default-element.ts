import type { ArchNode } from './arch.ts'

/** An element of a generated view: of no addon. */
export const element = (
  tag: string,
  attrs: Readonly<Record<string, string>> = {},
  children: readonly (ArchNode | string)[] = [],
): ArchNode => ({ tag, attrs, children, addon: '' })

export const fieldNode = (name: string, attrs: Readonly<Record<string, string>> = {}, children?: readonly ArchNode[]) =>
  element('field', { name, ...attrs }, children)
