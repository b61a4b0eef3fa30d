import { t } from '../../core/i18n.ts'
import { services } from '../../services.ts'
import { hueOf, initialsOf } from '../../ui/avatar.tsx'
import { Dropdown } from '../../ui/dropdown.tsx'
import { Icon } from '../../ui/icon.tsx'

/** Button with the company and the user; opens the user menu. */
export function UserMenu() {
  const { user, company, worksIn } = services().session.bootstrap
  return (
    <Dropdown
      trigger={({ anchor, isOpen, toggle }) => (
        <button type="button" class="nav-i" ref={anchor} aria-haspopup="menu" aria-expanded={isOpen} onClick={toggle}>
          <span class="av m sq" data-hue={hueOf(company.id)} aria-hidden="true">
            {initialsOf(worksIn).slice(0, 1)}
          </span>
          <span class="lb">
            <span class="med company">{worksIn}</span>
            <br />
            <span class="fs12 t3">{user.name}</span>
          </span>
          <span class="vh">{t('account menu')}</span>
          <Icon name="chevrons-up-down" size="s" />
        </button>
      )}
      draw={({ UserItems }, layer) => <UserItems layer={layer} />}
    />
  )
}
