import { effect } from '@preact/signals'
import { services } from '../../../services.ts'
import type { Board } from './board.ts'

/** Tells other users which card is being moved here, and the board which cards they are moving. */
export function followDrags(board: Board): () => void {
  const { bus } = services()
  const { model } = board.arch
  const stop = bus.on('presence', (events) => {
    const held = new Map(board.held.peek())
    for (const event of events) {
      const holder = event.users.find(({ doing }) => doing === '@dragging')
      if (event.model !== model) continue
      if (event.id === null) held.clear()
      else if (holder) held.set(event.id, holder)
      else held.delete(event.id)
    }
    board.held.value = held
  })
  const stopTelling = effect(() => {
    const lifted = board.lifted.value
    bus.present.value = lifted ? { model, id: lifted.id, doing: '@dragging' } : { model, id: null }
  })
  return () => {
    stop()
    stopTelling()
    if (bus.present.peek()?.model === model) bus.present.value = null
  }
}
