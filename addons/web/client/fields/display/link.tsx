import { t } from '../../core/i18n.ts'
import type { FieldProps } from '../../core/registries.ts'
import { Avatar, type AvatarProps, hueOf } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { recordHref } from '../value/hrefs.ts'
import { type Named, useNames } from '../value/names.ts'
import { ReadOnly } from '../value/read-only.tsx'
import { idsOf, type Link, linkOf } from '../value/values.ts'

/** Users are shown with an avatar, as are other records where the view asks for it. */
export const showsAvatar = ({ field, node }: Pick<FieldProps, 'field' | 'node'>): boolean =>
  field.relation === 'core.user' || node.attrs['widget'] === 'avatar'

interface FaceProps extends Omit<AvatarProps, 'isRecord'> {
  readonly of: FieldProps
}

/** The avatar of a record that a field links to. */
export const Face = ({ of: { field }, ...props }: FaceProps) => (
  <Avatar {...props} isRecord={field.relation !== 'core.user'} />
)

/** In a form the name is followed by a link to the record; in cells and on cards the whole row is the link. */
export function LinkDisplay(props: FieldProps) {
  const link = linkOf(props.value)
  const { relation } = props.field
  if (!link) return <ReadOnly of={props} />
  const shown = showsAvatar(props) ? (
    <span class="who">
      <Face of={props} {...link} isNamed />
      <span>{link.name}</span>
    </span>
  ) : (
    link.name
  )
  if (props.view !== 'form' || relation === undefined) return <ReadOnly of={props}>{shown}</ReadOnly>
  const name = link.name || `#${link.id}`
  return (
    <ReadOnly of={props} class="linked">
      <span class="grow">{shown || name}</span>
      <OpenLink relation={relation} id={link.id} name={name} />
    </ReadOnly>
  )
}

/** The arrow after the name that opens the linked record. */
export const OpenLink = ({ relation, id, name }: Link & { readonly relation: string }) => (
  <Button
    label={t('Open {name}', { name })}
    icon="arrow-up-right"
    iconOnly
    kind="ghost"
    class="open"
    href={recordHref(relation, id)}
  />
)

interface TagProps {
  readonly tag: Named
  readonly of: FieldProps
  readonly onDrop?: () => void
}

export const Tag = ({ tag: { id, name, hue }, of, onDrop }: TagProps) => (
  <span
    class={classNames('tag', (showsAvatar(of) || hue === null) && 'plain')}
    {...(hue !== null && { 'data-hue': hueOf(hue) })}
  >
    {showsAvatar(of) && <Face of={of} id={id} name={name} isNamed />}
    <span class="cut">{name}</span>
    {onDrop && (
      <button type="button" tabIndex={-1} aria-label={t('Remove {name}', { name })} onClick={onDrop}>
        <Icon name="x" />
      </button>
    )}
  </span>
)

/** Linked records as tags; people in a list cell as avatars. */
export function TagsDisplay(props: FieldProps) {
  const names = useNames(props.field.relation ?? '', idsOf(props.value))
  return (
    <ReadOnly of={props}>
      {showsAvatar(props) && props.view !== 'form' ? (
        <span class="avs">
          {names.map(({ id, name }) => (
            <Face key={id} of={props} id={id} name={name} />
          ))}
        </span>
      ) : (
        names[0] && (
          <span class="taglist">
            {names.map((tag) => (
              <Tag key={tag.id} tag={tag} of={props} />
            ))}
          </span>
        )
      )}
    </ReadOnly>
  )
}

/** One person with the name, several as avatars. */
export const AvatarDisplay = (props: FieldProps) =>
  props.field.type === 'many2one' ? <LinkDisplay {...props} /> : <TagsDisplay {...props} />
