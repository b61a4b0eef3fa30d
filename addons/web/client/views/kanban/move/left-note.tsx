import './left.css'
import { t } from '../../../core/i18n.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import type { LeftPlace } from '../model/board.ts'

/** Stands for a moment where a card was that somebody else moved to another column. */
export const LeftNote = ({ by: [id, name], to, height }: LeftPlace) => (
  <div class="card left" role="listitem" style={{ minHeight: `${height}px` }}>
    <Avatar id={id} name={name} isNamed />
    <span>{t('{name} moved this to {column}', { name, column: to })}</span>
  </div>
)
