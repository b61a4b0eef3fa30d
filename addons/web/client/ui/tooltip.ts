import { capsOf } from '../core/hotkeys.ts'

const DELAY_MS = 450
const GAP = 6
const EDGE = 8

/**
 * One tooltip for the page: elements with `data-tip` (and `data-tip-keys`) show it on hover and keyboard focus. It
 * repeats the accessible name of the element, so it is hidden from screen readers.
 */
export function installTooltips(document: Document): void {
  const tip = document.createElement('div')
  tip.className = 'tip'
  tip.popover = 'manual'
  tip.ariaHidden = 'true'
  document.body.append(tip)
  let timer: ReturnType<typeof setTimeout> | undefined
  let owner: HTMLElement | null = null

  function hide(): void {
    clearTimeout(timer)
    owner = null
    if (tip.matches(':popover-open')) tip.hidePopover()
  }

  function show(target: HTMLElement): void {
    if (!target.isConnected) return
    const caps = target.dataset['tipKeys'] ? capsOf(target.dataset['tipKeys']) : []
    tip.replaceChildren(
      target.dataset['tip'] ?? '',
      ...caps.map((cap) => Object.assign(document.createElement('kbd'), { className: 'kbd', textContent: cap })),
    )
    tip.showPopover()
    const around = target.getBoundingClientRect()
    const { width, height } = tip.getBoundingClientRect()
    const left = Math.max(EDGE, Math.min(around.left + (around.width - width) / 2, innerWidth - width - EDGE))
    const isBelow = around.bottom + GAP + height + EDGE < innerHeight
    tip.style.left = `${left}px`
    tip.style.top = `${isBelow ? around.bottom + GAP : around.top - GAP - height}px`
  }

  function enter(event: Event, wait: number): void {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip]') : null
    if (target === owner) return
    hide()
    if (!target || target.getAttribute('aria-expanded') === 'true') return
    owner = target
    timer = setTimeout(() => show(target), wait)
  }

  document.addEventListener('pointerover', (event) => event.pointerType === 'mouse' && enter(event, DELAY_MS))
  document.addEventListener(
    'focusin',
    (event) => event.target instanceof Element && event.target.matches(':focus-visible') && enter(event, 0),
  )
  for (const type of ['focusout', 'pointerdown', 'keydown', 'scroll'] as const) {
    document.addEventListener(type, hide, { capture: true, passive: true })
  }
}
