import type { ComponentChildren } from 'preact'

export interface ScrollBoxProps {
  readonly label: string
  readonly class: string
  readonly children: ComponentChildren
}

/** A part of the page that scrolls. It takes the focus, because what scrolls must be reachable by keys. */
export const ScrollBox = ({ label, class: className, children }: ScrollBoxProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
  <div class={className} tabIndex={0} role="region" aria-label={label}>
    {children}
  </div>
)
