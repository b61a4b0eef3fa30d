import type { WirePerson } from '../../../../../../kernel/admin/wire-people.ts'
import type { WireRoles } from '../../../../../../kernel/admin/wire-roles.ts'
import { t } from '../../../core/i18n.ts'
import { appHue, appIcon } from '../../../router/menus.ts'
import { hueOf, initialsOf } from '../../../ui/avatar.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Ago } from '../ago.tsx'
import { choicesOf, type RoleChoice } from './roles.ts'

export interface PersonRowProps {
  readonly person: WirePerson
  readonly roles: WireRoles
  readonly href: string
  readonly isOpen: boolean
}

/** Characters of roles that fit into a row; further roles are counted. Icon and frame count as six characters. */
const ROLE_CHARS = 56
const FRAME_CHARS = 6

/** A user who was active within this time counts as present. */
const HERE_MS = 5 * 60_000
export const isHere = ({ seenAt, active }: WirePerson): boolean =>
  active && seenAt !== null && Date.now() - Date.parse(seenAt) < HERE_MS

export const PersonRow = ({ person, roles, href, isOpen }: PersonRowProps) => (
  <div class={classNames('gr', !person.active && 'off')} role="row" {...(isOpen && { 'aria-current': true })}>
    <div class="gc ctl uname" role="cell">
      <PersonFace person={person} size="m" />
      <span class="two">
        <a class="main cut" href={href} data-sibling>
          {person.name}
        </a>
        <span class="fs12 t3 cut">{person.login}</span>
      </span>
    </div>
    <div class="gc" role="cell">
      <RoleTags person={person} roles={roles} />
    </div>
    <div class="gc seen t2" role="cell">
      <Seen person={person} />
    </div>
  </div>
)

/** The initials; dashed for a user who cannot sign in, with a dot for a user who is present. */
export const PersonFace = ({ person, size }: { readonly person: WirePerson; readonly size: 'm' | 'l' }) => (
  <span
    class={classNames('av', size, isHere(person) && 'on', (!person.active || person.invitation !== null) && 'gone')}
    data-hue={hueOf(person.id)}
    data-user={person.id}
    aria-hidden="true"
  >
    {initialsOf(person.name)}
  </span>
)

function RoleTags({ person, roles }: Pick<PersonRowProps, 'person' | 'roles'>) {
  // Nearly every user has the ordinary role, so it is not shown beside other roles.
  const own = choicesOf(roles, person.groupIds).filter(({ role }) => role !== null)
  const all = own.filter(({ app, role }) => app.module !== 'base' || role !== app.roles[0])
  if (all.length === 0) return <span class="t3">{own[0]?.role?.name ?? t('No role')}</span>
  const fitting = fittingCount(all)
  const shown = all.slice(0, fitting)
  const rest = all.slice(fitting).map(({ app }) => app.name)
  return (
    <ul class="roles">
      {shown.map(({ app, role }) => (
        <li class="role" key={app.name} data-app={appHue(app.module)}>
          <Icon name={appIcon(app.module)} />
          {app.module !== 'base' && <span>{app.name}</span>}
          {role === app.roles[0] ? <span class="t3">{role?.name}</span> : <b>{role?.name}</b>}
        </li>
      ))}
      {rest.length > 0 && (
        <li class="role more" title={rest.join(', ')}>
          +{rest.length}
          <span class="vh"> {rest.join(', ')}</span>
        </li>
      )}
    </ul>
  )
}

function fittingCount(choices: readonly RoleChoice[]): number {
  let room = ROLE_CHARS
  const over = choices.findIndex(({ app, role }) => {
    room -= FRAME_CHARS + app.name.length + (role?.name.length ?? 0)
    return room < 0
  })
  return over < 0 ? choices.length : Math.max(1, over)
}

const INVITED = {
  none: { icon: 'circle', tone: '', word: () => t('Not invited') },
  sent: { icon: 'mail', tone: 'info', word: () => t('Invited') },
  expired: { icon: 'clock', tone: 'warning', word: () => t('Link expired') },
} as const

export function Seen({ person: { active, invitation, seenAt } }: { readonly person: WirePerson }) {
  if (!active)
    return (
      <span class="state">
        <Icon name="st-cancel" />
        {t('Deactivated')}
      </span>
    )
  // The time of last use is noted once a minute.
  if (invitation === null) return <span>{seenAt === null ? t('never') : <Ago at={seenAt} recent={t('now')} />}</span>
  const { icon, tone, word } = INVITED[invitation.state]
  return (
    <>
      <span class={classNames('state', tone)}>
        <Icon name={icon} />
        {word()}
      </span>
      {invitation.at !== null && (
        <span class="fs12 t3">
          <Ago at={invitation.at} />
        </span>
      )}
    </>
  )
}
