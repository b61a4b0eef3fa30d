import { afterNote } from '../../../search/leaving.ts'
import { valuesOf, writerOf } from '../../../store/records.ts'
import { highlightEnd } from '../../../ui/recent-changes.ts'
import type { Board, BoardColumn, MovedAwayPlace } from '../model/board.ts'

const RETRY_MS = 500

/** A card that another user moved; `to` is null for one that is no longer on the board. */
export interface LeavingMove {
  readonly id: number
  readonly from: readonly BoardColumn[]
  readonly to: BoardColumn | null
}

export type MovedAwayPlaces = ReturnType<typeof followMovedAway>

/** Shows notes at the old places of cards that other users moved, for a while. A note under the pointer stays, since the cards below would move up. */
export function followMovedAway(board: Board, isHeld: (column: BoardColumn) => boolean) {
  let stop = () => {}
  const isKept = ({ column }: MovedAwayPlace) => {
    const own = board.column(column)
    return own !== undefined && isHeld(own)
  }
  const end = () => {
    stop()
    board.movedAway.value = board.movedAway.peek().filter(isKept)
    if (board.movedAway.peek().length > 0) stop = highlightEnd(end, RETRY_MS)
  }
  return {
    /** Adds notes; call it before the cards are moved. */
    add(moves: readonly LeavingMove[]): void {
      const places = moves.flatMap((move) => placesMovedAway(board, move))
      if (places.length === 0) return
      stop()
      board.movedAway.value = [
        ...board.movedAway.peek().filter(({ id }) => !places.some((place) => place.id === id)),
        ...places,
      ]
      stop = afterNote(end)
    },
    stop: () => stop(),
  }
}

function placesMovedAway(board: Board, { id, from, to }: LeavingMove): readonly MovedAwayPlace[] {
  const by = writerOf(valuesOf(board.entryOf(id)).peek())
  if (!by || !to) return []
  return from.map(({ key, ids }) => ({
    id,
    by,
    to: to.label,
    column: key,
    index: ids.base.peek().indexOf(id),
    height: heightOf(id, key),
  }))
}

/** Height of a card on screen, which its note keeps, so that the cards below it stay. */
const heightOf = (id: number, column: string): number =>
  document.querySelector<HTMLElement>(`[data-column="${CSS.escape(column)}"] [data-card="${id}"]`)?.offsetHeight ?? 0
