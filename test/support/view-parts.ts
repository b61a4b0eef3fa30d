import type { ArchNode } from '../../kernel/view/arch/arch.ts'
import type { WireField } from '../../kernel/view/wire.ts'

/** An element of a view, as the client gets it. */
export const node = (
  tag: string,
  attrs: Record<string, string> = {},
  children: readonly ArchNode[] = [],
): ArchNode => ({ tag, attrs, children, addon: 'test' })

/** What a view says of a field. */
export const field = (name: string, type: string, more: Partial<WireField> = {}): WireField => ({
  name,
  type,
  label: name,
  ...more,
})
