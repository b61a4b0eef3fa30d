import type { Ref } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { EntryState } from '../../../router/router.ts'

/**
 * The cards to draw, and a ref for the element that scrolls them: at first as many as fill a screen, and after each frame twice as many, since eighty
 * cards in one task hold up the page. All at once if the first do not fill the screen, and on the way back to a page, so that it can scroll to where it was.
 */
export function useFirstCards(
  ids: readonly number[],
  first: number,
): readonly [cards: readonly number[], scroller: Ref<HTMLDivElement>] {
  const scroller = useRef<HTMLDivElement>(null)
  const [count, setCount] = useState((history.state as EntryState | null)?.spot ? Infinity : first)
  useLayoutEffect(() => {
    const element = scroller.current
    if (count === Infinity || !element) return
    // The observer is called after the layout and before the frame is painted, so that measuring forces no further layout.
    const observer = new ResizeObserver(() => {
      if (element.scrollHeight <= element.clientHeight) setCount(Infinity)
      else setTimeout(() => setCount(count * 2 < ids.length ? count * 2 : Infinity))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [count])
  return [ids.slice(0, count), scroller]
}
