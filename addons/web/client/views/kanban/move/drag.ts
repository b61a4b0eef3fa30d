import './lifted-card.css'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { preserveOffsetOnSource } from '@atlaskit/pragmatic-drag-and-drop/utils/preserve-offset-on-source'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/set-custom-native-drag-preview'
import type { Board, Slot } from '../model/board.ts'
import { isElsewhere, moveCard } from './moves.ts'

/** Lets a card be dragged; while it is, `board.slot` says where it would go. */
export function makeDraggable(board: Board, element: HTMLElement, id: number, column: string): () => void {
  return draggable({
    element,
    canDrag: () => board.lifted.peek() === null,
    getInitialData: () => ({ board, id, column }),
    onGenerateDragPreview({ nativeSetDragImage, location }) {
      setCustomNativeDragPreview({
        nativeSetDragImage,
        getOffset: preserveOffsetOnSource({ element, input: location.current.input }),
        render({ container }) {
          const copy = element.cloneNode(true)
          if (!(copy instanceof HTMLElement)) return
          copy.classList.add('drag')
          copy.style.width = `${element.offsetWidth}px`
          container.classList.add('dragimage')
          container.append(copy)
        },
      })
    },
    onDragStart() {
      board.lifted.value = { id, from: column, by: 'pointer' }
    },
    onDrop({ location }) {
      const slot = location.current.dropTargets.length > 0 ? board.slot.peek() : null
      board.lifted.value = null
      board.slot.value = null
      if (slot) void moveCard(board, id, column, slot)
    },
  })
}

/** Lets cards be dropped into a column. */
export function makeDropTarget(board: Board, element: HTMLElement, column: string): () => void {
  const leave = () => {
    if (board.slot.peek()?.column === column) board.slot.value = null
  }
  return dropTargetForElements({
    element,
    canDrop: ({ source }) => source.data['board'] === board,
    onDrag({ location }) {
      const lifted = board.lifted.peek()
      if (!lifted) return
      // If cards cannot be ordered, the target is the column, without a position in it.
      const index = board.mayOrder.peek() ? indexAt(element, location.current.input.clientY, lifted.id) : 0
      const slot: Slot = { column, index }
      const known = board.slot.peek()
      if (known?.column === column && known.index === slot.index) return
      board.slot.value = isElsewhere(board, lifted.id, lifted.from, slot) ? slot : null
    },
    onDragLeave: leave,
  })
}

/** How many of the other cards are above the pointer. */
function indexAt(column: HTMLElement, y: number, id: number): number {
  const cards = [...column.querySelectorAll<HTMLElement>('[data-card]')]
  return cards.filter((card) => {
    if (card.dataset['card'] === String(id)) return false
    const { top, height } = card.getBoundingClientRect()
    return top + height / 2 < y
  }).length
}
