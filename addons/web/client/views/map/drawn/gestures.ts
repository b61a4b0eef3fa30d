import { followPointer } from '../../plan/follow-pointer.ts'
import type { Places } from '../model/places.ts'
import { type Camera, keepInside, type Point, worldSize, zoomAt } from '../model/projection.ts'

const STEP = 80

/** Moves the map by pixels. */
export function pan(places: Places, dx: number, dy: number, from: Camera | null = places.camera.peek()): void {
  if (!from) return
  const size = worldSize(from.zoom)
  places.camera.value = keepInside({ ...from, x: from.x - dx / size, y: from.y - dy / size })
}

/** Zooms in or out around a point, from the middle. */
export function zoomBy(places: Places, by: number, at: Point = { x: 0, y: 0 }): void {
  const from = places.camera.peek()
  if (from) places.camera.value = zoomAt(from, from.zoom + by, at)
}

const fromMiddle = (
  box: HTMLElement,
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
): Point => {
  const { left, top, width, height } = box.getBoundingClientRect()
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
}

/** Dragging moves the map, two fingers zoom it, the wheel zooms around the pointer. `onSettled` after each. */
export function followGestures(places: Places, box: HTMLElement, onSettled: () => void): () => void {
  const abort = new AbortController()
  const options = { signal: abort.signal, passive: false } as const
  const fingers = new Map<number, PointerEvent>()
  let pinch: { readonly camera: Camera; readonly spread: number } | null = null
  let settling: ReturnType<typeof setTimeout> | undefined
  const settleSoon = () => {
    clearTimeout(settling)
    settling = setTimeout(onSettled, 250)
  }
  const spread = () => {
    const [a, b] = [...fingers.values()]
    return a && b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 0
  }

  box.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      zoomBy(places, -event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.002), fromMiddle(box, event))
      settleSoon()
    },
    options,
  )
  box.addEventListener(
    'pointerdown',
    (event) => {
      if (event.target instanceof Element && event.target.closest('a, button, .mpop')) return
      fingers.set(event.pointerId, event)
      const camera = places.camera.peek()
      if (fingers.size === 2 && camera) pinch = { camera, spread: spread() }
      const isMouse = event.pointerType !== 'touch'
      if (!isMouse) return
      followPointer(event, {
        onStart: () => box.classList.add('dragged'),
        onMove: (now) => pan(places, now.clientX - event.clientX, now.clientY - event.clientY, camera),
        onEnd: () => {
          box.classList.remove('dragged')
          onSettled()
        },
        onCancel: () => box.classList.remove('dragged'),
      })
    },
    options,
  )
  box.addEventListener(
    'pointermove',
    (event) => {
      const before = fingers.get(event.pointerId)
      if (!before || event.pointerType !== 'touch') return
      fingers.set(event.pointerId, event)
      if (pinch && fingers.size === 2) {
        const [a, b] = [...fingers.values()]
        const middle = { clientX: (a!.clientX + b!.clientX) / 2, clientY: (a!.clientY + b!.clientY) / 2 }
        places.camera.value = zoomAt(
          pinch.camera,
          pinch.camera.zoom + Math.log2(spread() / pinch.spread),
          fromMiddle(box, middle),
        )
      } else if (fingers.size === 1) pan(places, event.clientX - before.clientX, event.clientY - before.clientY)
      settleSoon()
    },
    options,
  )
  for (const type of ['pointerup', 'pointercancel'] as const) {
    window.addEventListener(
      type,
      ({ pointerId }) => {
        fingers.delete(pointerId)
        if (fingers.size < 2) pinch = null
      },
      options,
    )
  }
  box.addEventListener(
    'dblclick',
    (event) => {
      zoomBy(places, 1, fromMiddle(box, event))
      onSettled()
    },
    options,
  )
  return () => {
    clearTimeout(settling)
    abort.abort()
  }
}

/** Keys of the map: arrows move it, plus and minus zoom, Escape closes the popup. Says whether the map has moved. */
export function pressOnMap(places: Places, event: KeyboardEvent): boolean {
  const moves: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => pan(places, STEP, 0),
    ArrowRight: () => pan(places, -STEP, 0),
    ArrowUp: () => pan(places, 0, STEP),
    ArrowDown: () => pan(places, 0, -STEP),
    '+': () => zoomBy(places, 1),
    '=': () => zoomBy(places, 1),
    '-': () => zoomBy(places, -1),
    Escape: () => {
      places.selected.value = null
    },
  }
  const move = event.ctrlKey || event.metaKey || event.altKey ? undefined : moves[event.key]
  if (!move || (event.key === 'Escape' && places.selected.peek() === null)) return false
  event.preventDefault()
  move()
  return event.key !== 'Escape'
}
