import type { ComponentChildren, RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { type DeferredParts, deferredParts } from '../core/deferred-parts.ts'
import { showError } from './toasts.tsx'

/** Anchor of a menu, and how to close it. */
export interface Layer {
  readonly anchor: RefObject<HTMLButtonElement | null>
  readonly onClose: () => void
}

export interface DropdownProps {
  /** Renders the button. */
  readonly trigger: (button: {
    readonly anchor: RefObject<HTMLButtonElement | null>
    readonly isOpen: boolean
    readonly toggle: () => void
  }) => ComponentChildren
  /** Renders the menu, whose code is loaded after the first paint. */
  readonly draw: (parts: DeferredParts, layer: Layer) => ComponentChildren
}

/** A button with a menu that is not part of the first load. */
export function Dropdown({ trigger, draw }: DropdownProps) {
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  const loaded = deferredParts.value
  const toggle = () => {
    setOpen(!isOpen)
    deferredParts.load().catch(showError)
  }
  return (
    <>
      {trigger({ anchor, isOpen, toggle })}
      {isOpen && loaded && draw(loaded, { anchor, onClose: () => setOpen(false) })}
    </>
  )
}
