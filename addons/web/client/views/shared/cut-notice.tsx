import type { ComponentChildren } from 'preact'
import { Icon } from '../../ui/icon.tsx'

/** Says what is not shown, and what the user can do about it. */
export const CutMessage = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="cutnotice" role="status">
    <Icon name="info" />
    <span>{children}</span>
  </p>
)
