import type { Env } from '../env.ts'
import { type ArchNode, isElement } from './arch/arch.ts'

/** Attributes of any element whose values users read. */
export const TEXT_ATTRIBUTES: readonly string[] = ['string', 'placeholder', 'help', 'confirm', 'ask', 'sum', 'avg']

/** The view with all texts in the user's language. */
export function translateArch(env: Env, node: ArchNode): ArchNode {
  const attrs = Object.entries(node.attrs).map(([name, value]) => [
    name,
    TEXT_ATTRIBUTES.includes(name) ? env.t(value) : value,
  ])
  const children = node.children.map((child) =>
    isElement(child) ? translateArch(env, child) : translateText(env, child),
  )
  return { ...node, attrs: Object.fromEntries(attrs), children }
}

/** Translates a text without the blanks around it, which only separate it from its neighbours. */
function translateText({ t }: Env, text: string): string {
  const words = text.trim()
  return words === '' ? text : text.replace(words, () => t(words))
}
