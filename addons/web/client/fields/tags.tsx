import { Avatar, Combobox, classNames, type FieldProps, hueOf, Icon, t, useRef } from '../sdk.ts'
import { controlOf, placeholderOf } from './control.ts'
import { learnName, type Named, useNames } from './names.ts'
import { ReadOnly } from './read-only.tsx'
import { findOptions, fulfil, relationOf } from './relation.ts'
import { idsOf } from './values.ts'

/** Linked records as tags. Typing finds and makes them, Backspace takes the last one back. */
export function TagsField(props: FieldProps) {
  const ids = idsOf(props.value)
  const names = useNames(relationOf(props), ids)
  // What was just chosen is held until its field shows it.
  const learnt = useRef<unknown[]>([])
  if (props.readonly) return <ShownTags of={props} names={names} />
  const { id, 'aria-label': label, 'aria-describedby': describedBy, ...state } = controlOf(props)
  const drop = (gone: number) => props.onChange(ids.filter((each) => each !== gone))
  return (
    <Combobox
      isMulti
      id={id}
      label={label}
      text=""
      placeholder={placeholderOf(props) || t('Add')}
      class={classNames(props.view === 'form' && 'quiet')}
      required={state['aria-required'] ?? false}
      isInvalid={state['aria-invalid'] ?? false}
      {...(describedBy !== undefined && { describedBy })}
      before={names.map((tag) => <Tag key={tag.id} tag={tag} isPerson={isPerson(props)} onDrop={() => drop(tag.id)} />)}
      find={(typed, signal) => findOptions(props, typed, signal, ids)}
      onChoose={(wish) => {
        void fulfil(props, wish).then((chosen) => {
          if (!chosen || ids.includes(chosen.id)) return
          learnt.current.push(learnName(relationOf(props), chosen.id, chosen.name))
          props.onChange([...ids, chosen.id])
        })
      }}
      onBack={() => ids.length > 0 && props.onChange(ids.slice(0, -1))}
    />
  )
}

const isPerson = ({ field }: FieldProps): boolean => field.relation === 'core.user'

interface TagProps {
  readonly tag: Named
  readonly isPerson: boolean
  readonly onDrop?: () => void
}

const Tag = ({ tag: { id, name, hue }, isPerson: isFace, onDrop }: TagProps) => (
  <span class={classNames('tag', isFace && 'plain')} data-hue={hueOf(hue)}>
    {isFace && <Avatar id={id} name={name} isNamed />}
    <span class="cut">{name}</span>
    {onDrop && (
      <button type="button" tabIndex={-1} aria-label={t('Remove {name}', { name })} onClick={onDrop}>
        <Icon name="x" />
      </button>
    )}
  </span>
)

const ShownTags = ({ of: props, names }: { readonly of: FieldProps; readonly names: readonly Named[] }) => (
  <ReadOnly of={props}>
    <span class="taglist">
      {names.map((tag) => (
        <Tag key={tag.id} tag={tag} isPerson={isPerson(props)} />
      ))}
    </span>
  </ReadOnly>
)

/** Faces only, side by side; to choose people they are tags. */
export function AvatarsField(props: FieldProps) {
  const names = useNames(relationOf(props), idsOf(props.value))
  if (!props.readonly) return <TagsField {...props} />
  return (
    <ReadOnly of={props}>
      <span class="avs">
        {names.map(({ id, name }) => (
          <Avatar key={id} id={id} name={name} />
        ))}
      </span>
    </ReadOnly>
  )
}
