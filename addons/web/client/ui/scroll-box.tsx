import type { ComponentChildren } from 'preact'

export interface ScrollBoxProps {
  readonly label: string
  readonly class: string
  readonly children: ComponentChildren
}

/** A part of the page that scrolls. It is focusable, so that it can be scrolled by keyboard. */
export const ScrollBox = ({ label, class: className, children }: ScrollBoxProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
  <div class={className} tabIndex={0} role="region" aria-label={label}>
    {children}
  </div>
)
