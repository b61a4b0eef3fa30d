import { t } from '../../core/i18n.ts'
import type { FieldProps } from '../../core/registries.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { Face, showsAvatar } from '../display/link.tsx'
import { controlOf, labelOf, placeholderOf } from '../value/control.ts'
import { recordHref } from '../value/hrefs.ts'
import { linkOf } from '../value/values.ts'
import { findOptions, relationOf, resolveChoice } from './relation.ts'

export function LinkInput(props: FieldProps) {
  const link = linkOf(props.value)
  const { id, 'aria-label': label, 'aria-describedby': describedBy, ...state } = controlOf(props)
  return (
    <Combobox
      id={id}
      label={label}
      text={link?.name ?? ''}
      placeholder={placeholderOf(props)}
      class={classNames(props.view === 'form' && 'quiet')}
      required={state['aria-required'] ?? false}
      isInvalid={state['aria-invalid'] ?? false}
      {...(describedBy !== undefined && { describedBy })}
      find={(typed, signal) => findOptions(props, typed, signal)}
      {...(props.onInvalid && { onProblem: props.onInvalid })}
      onChoose={(choice) => {
        // Synchronous, so that Tab and a save that follow use the chosen record.
        if (choice.kind === 'take') props.onChange([choice.link.id, choice.link.name])
        else void resolveChoice(props, choice).then((chosen) => chosen && props.onChange([chosen.id, chosen.name]))
      }}
      onClear={() => props.onChange(null)}
      {...(link && showsAvatar(props) && { before: <Face of={props} {...link} isNamed /> })}
      {...(link && {
        after: (
          <Button
            label={t('Open {name}', { name: link.name || labelOf(props) })}
            icon="arrow-up-right"
            iconOnly
            kind="ghost"
            class="open"
            tabIndex={props.view === 'form' ? 0 : -1}
            href={recordHref(relationOf(props), link.id)}
          />
        ),
      })}
    />
  )
}
