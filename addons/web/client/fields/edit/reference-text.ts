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
