/** Everything that moves cards, and what a board can do without at first, as one chunk; see keys.ts. */

export { CurrencySums } from '../../fields/value/currency-sums.tsx'
export { cardMenu } from './card/card-menu.ts'
export { ColumnBar } from './column/column-bar.tsx'
export { columnMenu } from './column/column-menu.ts'
export { makeDraggable, makeDropTarget } from './move/drag.ts'
export { keepFocus, lift, moveLifted, putBack } from './move/keyboard-move.ts'
export { MovedAwayNote } from './move/moved-away-note.tsx'
export { followMovedAway } from './move/moved-away-places.ts'
export { archiveCard, deleteCard, moveCard } from './move/moves.ts'
