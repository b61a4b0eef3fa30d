import sprite from 'modulus:icons'
import type { IconName } from './icon-names.ts'

export interface IconProps {
  /** Of the sprite; views may name others of it in their arch. */
  readonly name: IconName | (string & {})
  /** 14, 16 (default), 20 or 28 px. */
  readonly size?: 's' | 'l' | 'xl'
  readonly class?: string
}

/** Decoration beside a word, or inside a control that has a name of its own. */
export const Icon = ({ name, size, class: extra }: IconProps) => (
  <svg class={['i', size, extra].filter(Boolean).join(' ')} aria-hidden="true" focusable="false">
    <use href={`${sprite}#${name}`} />
  </svg>
)
