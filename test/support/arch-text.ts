import type { ArchNode } from '../../kernel/view/arch/arch.ts'

/** A view as text, for comparing. */
export function archText({ tag, attrs, children }: ArchNode): string {
  const start = [tag, ...Object.entries(attrs).map(([name, value]) => `${name}="${value}"`)].join(' ')
  if (children.length === 0) return `<${start}/>`
  const inside = children.map((child) => (typeof child === 'string' ? child : archText(child))).join('')
  return `<${start}>${inside}</${tag}>`
}
