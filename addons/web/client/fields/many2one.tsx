import { Avatar, Button, Combobox, classNames, type FieldProps, t } from '../sdk.ts'
import { controlOf, labelOf, placeholderOf } from './control.ts'
import { ReadOnly } from './read-only.tsx'
import { findOptions, fulfil, recordHref, relationOf } from './relation.ts'
import { type Link, linkOf } from './values.ts'

/** People have a face, here and wherever the view asks for one. */
const hasFace = ({ field, node }: FieldProps): boolean =>
  field.relation === 'core.user' || node.attrs['widget'] === 'avatar'

export const Face = ({ link }: { readonly link: Link }) => (
  <span class="who">
    <Avatar id={link.id} name={link.name} isNamed />
    <span>{link.name}</span>
  </span>
)

export function Many2oneField(props: FieldProps) {
  const link = linkOf(props.value)
  if (props.readonly) return <ShownLink {...props} />
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
      onChoose={(wish) => {
        void fulfil(props, wish).then((chosen) => chosen && props.onChange([chosen.id, chosen.name]))
      }}
      onClear={() => props.onChange(null)}
      {...(link && hasFace(props) && { before: <Avatar id={link.id} name={link.name} isNamed /> })}
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

/** In a form the name leads to the record; in cells and on cards the row itself is the link. */
function ShownLink(props: FieldProps) {
  const link = linkOf(props.value)
  const face = link && hasFace(props)
  return (
    <ReadOnly of={props}>
      {link &&
        (props.view === 'form' && props.field.relation !== undefined ? (
          <a class={face ? '' : 'link'} href={recordHref(props.field.relation, link.id)}>
            {face ? <Face link={link} /> : link.name || `#${link.id}`}
          </a>
        ) : face ? (
          <Face link={link} />
        ) : (
          link.name
        ))}
    </ReadOnly>
  )
}
