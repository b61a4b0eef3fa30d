import type { WireMenu } from '../../../../../kernel/view/wire.ts'

export interface Reference {
  readonly model: string
  readonly id: number
}

/** Parses `core.partner,7`; null if it is not a reference. */
export function parseReference(value: unknown): Reference | null {
  const match = typeof value === 'string' ? /^([a-z][a-z0-9_.]*),([1-9]\d{0,9})$/.exec(value) : null
  return match ? { model: match[1] ?? '', id: Number(match[2]) } : null
}

export const formatReference = ({ model, id }: Reference): string => `${model},${id}`

/** A model with its label from the menus. */
export interface Kind {
  readonly model: string
  readonly label: string
}

/** The models the user's menus link to, without duplicates, each labelled by its first menu. */
export function kindsOf(menus: readonly WireMenu[]): readonly Kind[] {
  const found = new Map<string, Kind>()
  const visit = ({ model, name, children }: WireMenu): void => {
    if (model !== undefined && !found.has(model)) found.set(model, { model, label: name })
    for (const child of children) visit(child)
  }
  for (const menu of menus) visit(menu)
  return [...found.values()]
}
