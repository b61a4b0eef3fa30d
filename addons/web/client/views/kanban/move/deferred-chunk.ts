/** Everything that moves cards, as one chunk; see keys.ts. */

export { makeDraggable, makeDropTarget } from './drag.ts'
export { lift, moveLifted, putBack } from './keyboard-move.ts'
export { LeftNote } from './left-note.tsx'
export { followLeftPlaces } from './left-places.ts'
export { archiveCard, deleteCard, moveCard } from './moves.ts'
