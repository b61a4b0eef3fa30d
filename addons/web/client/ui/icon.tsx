import sprite from 'modulus:icons'
import type { IconName } from './icon-names.ts'

export interface IconProps {
  /** Name in the sprite; views can name further icons in their arch. */
  readonly name: IconName | (string & {})
  /** 14, 16 (default), 20 or 28 px. */
  readonly size?: 's' | 'l' | 'xl'
  readonly class?: string
}

/** A decorative icon, hidden from screen readers: it needs a text next to it or a control with a name around it. */
export const Icon = ({ name, size, class: extra }: IconProps) => (
  <svg class={['i', size, extra].filter(Boolean).join(' ')} aria-hidden="true" focusable="false">
    <use href={`${sprite}#${name}`} />
  </svg>
)
