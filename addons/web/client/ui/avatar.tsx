import { classNames } from './class-names.ts'

const HUES = 8

/** The same person has the same colour everywhere. */
export const hueOf = (id: number): string => String(((id % HUES) + HUES) % HUES)

export const initialsOf = (name: string): string => {
  const words = name.split(/\s+/).filter((word) => word !== '')
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

export interface AvatarProps {
  readonly id: number
  readonly name: string
  readonly size?: 'm' | 'l'
  /** The name stands beside it. */
  readonly isNamed?: boolean
}

/** Initials in a circle. */
export const Avatar = ({ id, name, size, isNamed = false }: AvatarProps) => (
  <span
    class={classNames('av', size)}
    data-hue={hueOf(id)}
    {...(isNamed ? { 'aria-hidden': true } : { role: 'img', 'aria-label': name })}
  >
    {initialsOf(name)}
  </span>
)
