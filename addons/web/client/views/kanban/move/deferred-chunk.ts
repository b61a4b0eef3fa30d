/** All that changes where cards are; loaded once the board is on screen. */

export { makeDraggable, makeDropTarget } from './drag.ts'
export { lift, moveLifted, putBack } from './keyboard-move.ts'
export { archiveCard, deleteCard, moveCard } from './moves.ts'
