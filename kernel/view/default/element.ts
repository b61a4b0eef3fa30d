import type { ArchNode } from '../arch/arch.ts'

/** Texts of generated views, besides the labels of fields. */
export const GENERATED_TEXTS = { mine: 'Mine', archived: 'Archived', total: 'Total' } as const

/** An element of a generated view, which belongs to no addon. */
export const element = (
  tag: string,
  attrs: Readonly<Record<string, string>> = {},
  children: readonly (ArchNode | string)[] = [],
): ArchNode => ({ tag, attrs, children, addon: '' })

export const fieldNode = (name: string, attrs: Readonly<Record<string, string>> = {}, children?: readonly ArchNode[]) =>
  element('field', { name, ...attrs }, children)
