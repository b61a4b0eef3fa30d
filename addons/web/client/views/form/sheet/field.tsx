import { useComputed } from '@preact/signals'
import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import type { WireField } from '../../../../../../kernel/view/wire.ts'
import { holds } from '../../../core/expression.ts'
import { drawField, findField } from '../../../core/registries.ts'
import { labelOf } from '../../../fields/value/control.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { classesOf, isWide } from '../model/arch.ts'
import { formParts } from '../model/deferred-parts.ts'
import type { FormModel } from '../model/model.ts'
import { isReadonly } from '../model/read-only.ts'

export interface FieldPlaceProps {
  readonly form: FormModel
  readonly node: ArchNode
}

/** Layout of a field: next to its label, over the whole width, or inline in a text. */
export type FieldStyle = 'row' | 'block' | 'inline'

/** A field of the form with its label and error message. */
export function FormField({ form, node, style }: FieldPlaceProps & { readonly style: FieldStyle }) {
  const field = form.arch.fields.get(node.attrs['name'] ?? '')
  const isHidden = useComputed(() => holds(node.attrs['invisible'], form.scope.value))
  if (!field || isHidden.value) return null
  return <ShownField form={form} node={node} field={field} style={style} />
}

/** Whether the control can have an empty value: a checkbox cannot, and a selection with a value cannot be cleared. */
const canBeEmptied = ({ type }: WireField, value: unknown): boolean =>
  type !== 'boolean' && (type !== 'selection' || value === null)

interface ShownFieldProps extends FieldPlaceProps {
  readonly field: WireField
  readonly style: FieldStyle
}

function ShownField({ form, node, field, style }: ShownFieldProps) {
  const { name } = field
  const id = form.arch.ids.get(node) ?? name
  const value = useComputed(() => form.draft.get(name))
  const invalidText = useComputed(() => form.draft.invalidTexts.value.find((each) => each.name === name)?.value)
  const isFixed = useComputed(() => isReadonly(form, node))
  const isRequired = useComputed(
    () => !isFixed.value && (field.required === true || holds(node.attrs['required'], form.scope.value)),
  )
  // The required mark is omitted where the control cannot be empty.
  const isMarked = isRequired.value && canBeEmptied(field, value.value)
  // A message is shown at a field that can be edited; `Problems` lists those of other fields.
  const error = useComputed(() =>
    isFixed.value ? null : (form.invalid.value[name] ?? form.errors.value[name] ?? null),
  )
  const isChanged = useComputed(() => form.id !== null && form.changed.value.includes(name))
  const isRecent = useComputed(() => form.recent.value.has(name))
  const peer = useComputed(() => formParts.value?.peerMark(form, name))
  const label = labelOf({ node, field })
  const isLabelled = style === 'row' && node.attrs['nolabel'] !== '1'
  const { placeholder } = node.attrs
  // A read-only value that the server sets on the first save; the placeholder is shown until then.
  const isAwaited = form.id === null && isFixed.value && placeholder !== undefined && value.value == null
  const control = isAwaited ? (
    <div class="ro awaited" id={id}>
      {placeholder}
    </div>
  ) : (
    drawField(findField('form', field.type, node.attrs['widget']), {
      field,
      node,
      record: form.record,
      value: value.value,
      id,
      readonly: isFixed.value,
      required: isRequired.value,
      error: error.value,
      view: 'form',
      onChange: (next) => form.set(name, next),
      onInvalid: (problem) => form.setInvalid(name, problem),
      invalidText: invalidText.value,
    })
  )
  const help = node.attrs['help'] ?? field.help
  const Outer = style === 'inline' ? 'span' : 'div'
  return (
    <Outer
      class={classNames(
        style === 'row' ? 'kv' : style === 'block' ? 'wide-field' : 'inl',
        isLabelled && isWide(node, field) && 'tall',
        style === 'row' && !isLabelled && 'bare',
        classesOf(node.attrs['class']).has('total') && 'grand',
        isChanged.value && 'changed',
        isRecent.value && 'hit',
      )}
      data-field={name}
      data-field-id={id}
      {...peer.value}
    >
      {/* An inline read-only value is part of the text around it and has no label. */}
      {!(style === 'inline' && isFixed.value) && (
        <label
          class={isLabelled ? 'label' : 'vh'}
          for={id}
          {...(help !== undefined && isLabelled && { 'data-tip': help })}
        >
          {label}
          {isMarked && (
            <span class="req" aria-hidden="true">
              {' '}
              *
            </span>
          )}
        </label>
      )}
      <Outer class="val">
        {control}
        {field.languages && form.id !== null && !isFixed.value && formParts.value?.translationsOf(form, field)}
        {error.value !== null && (
          <span class="err" id={`${id}-error`} role="alert">
            <Icon name="circle-alert" />
            {error.value}
          </span>
        )}
      </Outer>
    </Outer>
  )
}
