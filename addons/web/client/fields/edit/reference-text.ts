import type { WireMenu } from '../../../../../kernel/view/wire.ts'

export interface Reference {
  readonly model: string
  readonly id: number
}

/** `core.partner,7`; null when it is none. */
export function parseReference(value: unknown): Reference | null {
  const match = typeof value === 'string' ? /^([a-z][a-z0-9_.]*),([1-9]\d{0,9})$/.exec(value) : null
  return match ? { model: match[1] ?? '', id: Number(match[2]) } : null
}

export const formatReference = ({ model, id }: Reference): string => `${model},${id}`

/** A kind of record, as the menus call it. */
export interface Kind {
  readonly model: string
  readonly label: string
}

/** What the user's menus lead to: the kinds they know, each once, under its first name. */
export function kindsOf(menus: readonly WireMenu[]): readonly Kind[] {
  const found = new Map<string, Kind>()
  const visit = ({ model, name, children }: WireMenu): void => {
    if (model !== undefined && !found.has(model)) found.set(model, { model, label: name })
    for (const child of children) visit(child)
  }
  for (const menu of menus) visit(menu)
  return [...found.values()]
}
