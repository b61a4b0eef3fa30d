import { classNames } from './class-names.ts'

const HUES = 8

/** Colour of a person, derived from the id, so that it is the same everywhere. */
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
  /** Whether the name is shown next to it; the avatar is then hidden from screen readers. */
  readonly isNamed?: boolean
  /** Whether the person is present now, shown as a green dot. */
  readonly isOnline?: boolean
  /** Whether it stands for a record that is not a user, and so has no picture. */
  readonly isRecord?: boolean
}

/** The initials of a person in a circle; the page has a style that puts the picture of a user in their place. */
export const Avatar = ({ id, name, size, isNamed = false, isOnline, isRecord }: AvatarProps) => (
  <span
    class={classNames('av', size, isOnline && 'on')}
    data-hue={hueOf(id)}
    data-user={isRecord ? null : id}
    {...(isNamed ? { 'aria-hidden': true } : { role: 'img', 'aria-label': name })}
  >
    {initialsOf(name)}
  </span>
)
