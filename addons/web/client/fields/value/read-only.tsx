import type { ComponentChildren } from 'preact'
import type { FieldProps } from '../../core/registries.ts'
import { classNames } from '../../ui/class-names.ts'

export interface ReadOnlyProps {
  readonly of: FieldProps
  readonly class?: string
  readonly children?: ComponentChildren
}

/** A value that is only shown. In a form it stands where the control would, and an unset one keeps its line. */
export const ReadOnly = ({ of: { view, id }, class: extra, children }: ReadOnlyProps) =>
  view === 'form' ? (
    <div class={classNames('ro', extra)} id={id}>
      {children}
    </div>
  ) : extra === undefined ? (
    <>{children}</>
  ) : (
    <span class={extra}>{children}</span>
  )
