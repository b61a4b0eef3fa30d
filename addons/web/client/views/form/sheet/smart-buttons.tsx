import { useComputed } from '@preact/signals'
import { elementsOf } from '../../../core/arch.ts'
import { holds } from '../../../core/expression.ts'
import { t } from '../../../core/i18n.ts'
import { drawField, findField } from '../../../core/registries.ts'
import { Icon } from '../../../ui/icon.tsx'
import { runFormButton } from '../action/run-button.tsx'
import type { FormModel } from '../model/model.ts'
import type { FieldPlaceProps } from './field.tsx'

/** Buttons with the number of related records, each linking to them. */
export function SmartButtons({ form }: { readonly form: FormModel }) {
  const shown = useComputed(() => {
    const scope = form.scope.value
    return form.arch.smart.filter(({ attrs }) => !holds(attrs['invisible'], scope))
  })
  if (shown.value.length === 0 || form.id === null) return null
  return (
    <nav class="smart" aria-label={t('Related records')}>
      {shown.value.map((node, index) => (
        <SmartButton key={index} form={form} node={node} />
      ))}
    </nav>
  )
}

function SmartButton({ form, node }: FieldPlaceProps) {
  const { icon, string, name } = node.attrs
  const figures = elementsOf(node).filter(({ tag }) => tag === 'field')
  return (
    <button type="button" disabled={form.running.value !== null} onClick={() => void runFormButton(form, node)}>
      {form.running.value === name ? (
        <span class="spin" aria-hidden="true" />
      ) : (
        icon !== undefined && <Icon name={icon} />
      )}
      <span class="fig">
        {figures.map((figure) => (
          <Figure key={figure.attrs['name']} form={form} node={figure} />
        ))}
        {string}
      </span>
    </button>
  )
}

function Figure({ form, node }: FieldPlaceProps) {
  const field = form.arch.fields.get(node.attrs['name'] ?? '')
  if (!field) return null
  return drawField(findField('form', field.type, node.attrs['widget'] ?? 'statinfo'), {
    field,
    node,
    record: form.record,
    value: form.draft.get(field.name),
    id: form.arch.ids.get(node) ?? field.name,
    readonly: true,
    required: false,
    error: null,
    view: 'form',
    onChange: () => undefined,
  })
}
