/** All that changes where cards are; loaded once the board is on screen. */
export { carry, lift, putBack } from './carry.ts'
export { makeDraggable, makeDropTarget } from './drag.ts'
export { archiveCard, deleteCard, moveCard } from './moves.ts'
