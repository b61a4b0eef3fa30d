import './moved-away.css'
import { t } from '../../../core/i18n.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import type { MovedAwayPlace } from '../model/board.ts'

/** Shown for a moment at the old place of a card that another user moved to another column. */
export const MovedAwayNote = ({ by: [id, name], to, height }: MovedAwayPlace) => (
  <div class="card moved-away" role="listitem" style={{ minHeight: `${height}px` }}>
    <Avatar id={id} name={name} isNamed />
    <span>{t('{name} moved this to {column}', { name, column: to })}</span>
  </div>
)
