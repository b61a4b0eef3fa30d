import { useId } from 'preact/hooks'
import type { WireRoles } from '../../../../../../kernel/admin/wire-roles.ts'
import { t, tn } from '../../../core/i18n.ts'
import { appHue, appIcon } from '../../../router/menus.ts'
import { Icon } from '../../../ui/icon.tsx'
import { choicesOf, type RoleChoice, withIncluded, withRole } from './roles.ts'

export interface RoleRowsProps {
  readonly roles: WireRoles
  /** The chosen groups. */
  readonly groupIds: readonly number[]
  /** The stored groups. */
  readonly stored: readonly number[]
  readonly onChange: (groupIds: readonly number[]) => void
}

/** One choice for each app, and below them the rights that no role includes. */
export function RoleRows({ roles, groupIds, stored, onChange }: RoleRowsProps) {
  const before = choicesOf(roles, stored)
  return (
    <>
      <ul>
        {choicesOf(roles, groupIds).map((choice, index) => (
          <RoleRow
            key={choice.app.name}
            choice={choice}
            before={before[index]!}
            onChoose={(role) => onChange(withRole(roles, groupIds, choice.app, role))}
          />
        ))}
      </ul>
      {roles.extras.length > 0 && <Extras roles={roles} groupIds={groupIds} onChange={onChange} />}
    </>
  )
}

interface RoleRowProps {
  readonly choice: RoleChoice
  readonly before: RoleChoice
  readonly onChoose: (role: RoleChoice['role']) => void
}

function RoleRow({ choice, before, onChoose }: RoleRowProps) {
  const { app, role, floor } = choice
  const label = useId()
  const isChanged = role?.id !== before.role?.id
  const least = floor === null ? -1 : app.roles.indexOf(floor.role)
  return (
    <li class="rolerow">
      <span class="tile" data-app={appHue(app.module)}>
        <Icon name={appIcon(app.module)} />
      </span>
      <span class="two" id={label}>
        <span class="med">
          {app.name}
          {isChanged && <span class="udot" role="img" aria-label={t('Changed, not saved')} />}
        </span>
        <span class="hint">{hintOf(choice, isChanged ? before : null)}</span>
      </span>
      <span class="seg" role="radiogroup" aria-labelledby={label}>
        {[null, ...app.roles].map((option, index) => (
          <label key={option?.id ?? 0}>
            <input
              type="radio"
              class="vh"
              name={label}
              checked={option?.id === role?.id}
              disabled={index - 1 < least}
              onChange={() => onChoose(option)}
            />
            {option?.name ?? t('None')}
          </label>
        ))}
      </span>
    </li>
  )
}

function hintOf({ role, floor, app }: RoleChoice, before: RoleChoice | null): string {
  const parts = [
    role === null ? t('Only what everybody may do there.') : role.text,
    before === null ? '' : t('Was {role}.', { role: before.role?.name ?? t('None') }),
    floor !== null && floor.by !== null && floor.by !== app
      ? t('{app} needs at least {role}.', { app: floor.by.name, role: floor.role.name })
      : '',
  ]
  return parts.filter((part) => part !== '').join(' ')
}

function Extras({ roles, groupIds, onChange }: Omit<RoleRowsProps, 'stored'>) {
  const brought = (id: number) =>
    withIncluded(
      roles,
      groupIds.filter((each) => each !== id),
    ).has(id)
  const toggle = (id: number) =>
    onChange(groupIds.includes(id) ? groupIds.filter((each) => each !== id) : [...groupIds, id])
  return (
    <details class="more">
      <summary>
        <Icon name="chevron-right" size="s" class="chev" />
        <span class="nw">
          {tn(roles.extras.length, '{n} right that no role gives', '{n} rights that no role gives')}
        </span>
        <span class="t3 wide cut">{roles.extras.map(({ name }) => name).join(', ')}</span>
      </summary>
      <div class="extra">
        {roles.extras.map(({ id, name, text }) => (
          <label class="opt" key={id} title={text}>
            <input
              type="checkbox"
              class="check"
              checked={groupIds.includes(id) || brought(id)}
              disabled={brought(id)}
              onChange={() => toggle(id)}
            />
            {name}
          </label>
        ))}
      </div>
    </details>
  )
}
