import { useComputed } from '@preact/signals'
import { holds } from '../../../core/expression.ts'
import { Button, type ButtonProps } from '../../../ui/button.tsx'
import type { FieldPlaceProps } from '../sheet/field.tsx'
import { runFormButton } from './run-button.tsx'

/** A button of the arch: it runs a method of the record, opens another action, or saves or discards the form. */
export function ArchButton({ form, node, kind }: FieldPlaceProps & { readonly kind?: ButtonProps['kind'] }) {
  const { string, name = '', icon } = node.attrs
  const isHidden = useComputed(() => holds(node.attrs['invisible'], form.scope.value))
  const isRunning = useComputed(() => form.running.value === name)
  const isDisabled = useComputed(
    () =>
      // A running button is not disabled, so that it keeps the focus.
      !isRunning.value &&
      (form.running.value !== null || form.isSaving.value || holds(node.attrs['readonly'], form.scope.value)),
  )
  if (isHidden.value) return null
  return (
    <Button
      label={string ?? name}
      {...(icon !== undefined && { icon })}
      {...(kind !== undefined && { kind })}
      isBusy={isRunning.value}
      disabled={isDisabled.value}
      onClick={() => void runFormButton(form, node)}
    />
  )
}
