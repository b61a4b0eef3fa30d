import { useRef } from 'preact/hooks'
import { t } from '../../core/i18n.ts'
import type { FieldProps } from '../../core/registries.ts'
import { classNames } from '../../ui/class-names.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { Tag } from '../display/link.tsx'
import { controlOf, placeholderOf } from '../value/control.ts'
import { rememberName, useNames } from '../value/names.ts'
import { idsOf } from '../value/values.ts'
import { LinkInput } from './many2one.tsx'
import { findOptions, relationOf, resolveChoice } from './relation.ts'

/** Linked records as tags. Typing finds or creates records, and Backspace removes the last tag. */
export function TagsInput(props: FieldProps) {
  const ids = idsOf(props.value)
  const names = useNames(relationOf(props), ids)
  // Keeps records that were just chosen in the store until the field renders them.
  const learnt = useRef<unknown[]>([])
  const { id, 'aria-label': label, 'aria-describedby': describedBy, ...state } = controlOf(props)
  const drop = (gone: number) => props.onChange(ids.filter((each) => each !== gone))
  return (
    <Combobox
      isMulti
      id={id}
      label={label}
      text=""
      // In a cell with tags there is no room for a placeholder.
      placeholder={props.view === 'list' && ids.length > 0 ? '' : placeholderOf(props) || t('Add')}
      class={classNames(props.view === 'form' && 'quiet')}
      required={state['aria-required'] ?? false}
      isInvalid={state['aria-invalid'] ?? false}
      {...(describedBy !== undefined && { describedBy })}
      before={names.map((tag) => <Tag key={tag.id} tag={tag} of={props} onDrop={() => drop(tag.id)} />)}
      find={(typed, signal) => findOptions(props, typed, signal, ids)}
      {...(props.onInvalid && { onProblem: props.onInvalid })}
      onChoose={(choice) => {
        void resolveChoice(props, choice).then((chosen) => {
          if (!chosen || ids.includes(chosen.id)) return
          learnt.current.push(rememberName(relationOf(props), chosen.id, chosen.name))
          props.onChange([...ids, chosen.id])
        })
      }}
      onBack={() => ids.length > 0 && props.onChange(ids.slice(0, -1))}
    />
  )
}

/** People: a many2one is edited as a link, a many2many as tags. */
export const PeopleInput = (props: FieldProps) =>
  props.field.type === 'many2one' ? <LinkInput {...props} /> : <TagsInput {...props} />
