import { useEffect } from 'preact/hooks'
import type { WirePeople } from '../../../../../../kernel/admin/wire-people.ts'
import { hotkeys } from '../../../core/hotkeys.ts'
import { t } from '../../../core/i18n.ts'
import { changeRoute, type Route } from '../../../router/codec.ts'
import { services } from '../../../services.ts'
import { Empty } from '../../../ui/empty.tsx'
import { LoadState } from '../load-state.tsx'
import { useAsked } from '../use-asked.ts'
import { PeopleList } from './people-list.tsx'
import { PersonForm } from './person-form.tsx'
import '../admin.css'
import './users.css'

/** The state of the page: the open user, the searched text, and whether deactivated users are listed. */
export interface UsersPlace {
  readonly user?: string | undefined
  readonly q?: string | undefined
  readonly all?: string | undefined
  /** `1`: open the dialog to invite a user, for links from other pages. */
  readonly invite?: string | undefined
}

/** The user administration: the list of users, and beside it the open user. */
export function Page({ route }: { readonly route: Route }) {
  const { q = '', all, user } = route.state
  const query = new URLSearchParams({ q, ...(all === '1' && { all }) })
  const asked = useAsked<WirePeople>(`/web/settings/users?${query}`, ['core.user', 'core.group'])
  const go = (place: UsersPlace, replace = false) =>
    void services().router.go(changeRoute(route, {}, { ...place }), { replace, isSibling: true })
  const found = asked.value
  const id = Number(user ?? 0)
  const person = found?.people.find((each) => each.id === id) ?? null
  useMoveKeys(found?.people.map((each) => each.id) ?? [], id, (next) => go({ user: String(next) }))

  if (found === null) return <LoadState asked={asked} />
  return (
    <div class="view duo" {...(id > 0 && { 'data-open': '' })}>
      <PeopleList found={found} place={route.state} openId={id} onGo={go} onChanged={asked.reload} />
      {id > 0 ? (
        <PersonForm key={id} id={id} known={person} found={found} onGo={go} onChanged={asked.reload} />
      ) : (
        <section class="uform uform-none" aria-label={t('Selected user')}>
          <Empty
            icon="users"
            title={t('Nobody is chosen')}
            text={t('Choose a user to see roles, sessions and keys.')}
          />
        </section>
      )}
    </div>
  )
}

/** J and K move through the list. */
function useMoveKeys(ids: readonly number[], openId: number, open: (id: number) => void): void {
  useEffect(() => {
    const move = (step: 1 | -1) => () => {
      const next = ids[ids.indexOf(openId) + step] ?? (openId === 0 ? ids[0] : undefined)
      if (next !== undefined) open(next)
    }
    const group = t('Users')
    const stops = [
      hotkeys.add({ keys: 'j', label: t('Next user'), group, run: move(1) }),
      hotkeys.add({ keys: 'k', label: t('Previous user'), group, run: move(-1) }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  })
}
