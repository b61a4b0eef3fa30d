import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { classNames } from './class-names.ts'
import { type Align, placeFloating } from './place-floating.ts'

export interface PopoverProps {
  readonly anchor: { readonly current: HTMLElement | null }
  readonly align?: Align
  readonly class?: string
  readonly id?: string
  readonly role?: 'menu' | 'listbox' | 'dialog' | 'group'
  readonly label?: string
  /** `manual` stays open on clicks outside; its owner closes it. */
  readonly mode?: 'auto' | 'manual'
  /** Whether it stays where it opened when the anchor moves, as a button does whose text the menu changes. */
  readonly isSteady?: boolean
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/**
 * A popover next to its anchor, in the browser's top layer. Escape or a click outside closes it. Rendered only while it
 * is open.
 */
export function Popover({ anchor, align = 'start', mode = 'auto', isSteady = false, onClose, ...props }: PopoverProps) {
  const layer = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  close.current = onClose

  useLayoutEffect(() => {
    const floating = layer.current
    const around = anchor.current
    if (!floating || !around) return
    const place = () => placeFloating(floating, around, align)
    const toggled = (event: Event) => {
      if ('newState' in event && event.newState === 'closed') close.current()
    }
    floating.showPopover()
    place()
    const opened = around.getBoundingClientRect()
    const resized = new ResizeObserver(() => placeFloating(floating, around, align, isSteady ? opened : undefined))
    resized.observe(floating)
    floating.addEventListener('toggle', toggled)
    addEventListener('resize', place)
    document.addEventListener('scroll', place, { capture: true, passive: true })
    return () => {
      resized.disconnect()
      floating.removeEventListener('toggle', toggled)
      removeEventListener('resize', place)
      document.removeEventListener('scroll', place, { capture: true })
    }
  }, [anchor, align])

  return (
    <div
      ref={layer}
      popover={mode}
      class={classNames('pop', props.class)}
      {...(props.id !== undefined && { id: props.id })}
      {...(props.role !== undefined && { role: props.role })}
      {...(props.label !== undefined && { 'aria-label': props.label })}
    >
      {props.children}
    </div>
  )
}
