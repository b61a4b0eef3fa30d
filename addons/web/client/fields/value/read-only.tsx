import type { ComponentChildren } from 'preact'
import type { FieldProps } from '../../core/registries.ts'
import { classNames } from '../../ui/class-names.ts'

export interface ReadOnlyProps {
  readonly of: FieldProps
  readonly class?: string
  readonly children?: ComponentChildren
}

/** A value that cannot be edited. In a form it takes the room of the control, also when it is empty. */
export const ReadOnly = ({ of: { view, id }, class: extra, children }: ReadOnlyProps) =>
  view === 'form' ? (
    <div class={classNames('ro', extra)} id={id}>
      {children}
    </div>
  ) : extra === undefined ? (
    children
  ) : (
    <span class={extra}>{children}</span>
  )
