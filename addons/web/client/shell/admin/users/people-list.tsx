import { useEffect } from 'preact/hooks'
import type { WirePeople, WirePerson } from '../../../../../../kernel/admin/wire-people.ts'
import { hotkeys } from '../../../core/hotkeys.ts'
import { t, tn } from '../../../core/i18n.ts'
import { changeRoute, formatRoute, parseRoute } from '../../../router/codec.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { SearchBox } from '../../../ui/search-box.tsx'
import { openInvite } from './invite-dialog.tsx'
import { PersonRow } from './person-row.tsx'
import type { UsersPlace } from './users-page.tsx'

export interface PeopleListProps {
  readonly found: WirePeople
  readonly place: UsersPlace
  readonly openId: number
  readonly onGo: (place: UsersPlace, replace?: boolean) => void
  readonly onChanged: () => void
}

const hrefOf = (place: UsersPlace): string =>
  formatRoute(changeRoute(parseRoute('/web/settings/users'), {}, { ...place }))

/** The list with its search; every row is a link to the user. */
export function PeopleList({ found, place, openId, onGo, onChanged }: PeopleListProps) {
  const { people, total, counts } = found
  const invite = async () => {
    const id = await openInvite(found)
    if (id === null) return
    onChanged()
    onGo({ user: String(id), q: undefined })
  }
  useEffect(() => {
    if (place.invite !== '1') return
    onGo({ invite: undefined }, true)
    void invite()
  }, [place.invite])
  useEffect(() => hotkeys.add({ keys: 'n', label: t('Invite'), group: t('Users'), run: () => void invite() }))
  return (
    <section class="ulist" aria-label={t('Users')}>
      <div class="ctlbar">
        <SearchBox
          label={t('Search users')}
          group={t('Users')}
          text={place.q ?? ''}
          onInput={(q) => onGo({ q }, true)}
        />
        <div class="end">
          <Button
            label={t('With deactivated')}
            kind="ghost"
            pressed={place.all === '1'}
            onClick={() => onGo({ all: place.all === '1' ? undefined : '1' }, true)}
          />
          <Button label={t('Invite')} icon="user-plus" kind="primary" keys="n" onClick={() => void invite()} />
        </div>
      </div>
      <div class="scroll" data-scroll="users">
        {people.length === 0 ? (
          <Empty
            icon="search-x"
            title={t('No user matches this search')}
            actions={<Button label={t('Clear search')} onClick={() => onGo({ q: undefined }, true)} />}
          />
        ) : (
          <div class="grid ugrid" role="table" aria-label={t('Users')} aria-rowcount={people.length + 1}>
            <div class="gh" role="rowgroup">
              <div class="gr head" role="row">
                <span class="gc" role="columnheader">
                  {t('User')}
                </span>
                <span class="gc" role="columnheader">
                  {t('Roles')}
                </span>
                <span class="gc" role="columnheader">
                  {t('Last seen')}
                </span>
              </div>
            </div>
            <div role="rowgroup">
              {people.map((person: WirePerson) => (
                <PersonRow
                  key={person.id}
                  person={person}
                  roles={found.roles}
                  href={hrefOf({ ...place, user: String(person.id) })}
                  isOpen={person.id === openId}
                />
              ))}
            </div>
          </div>
        )}
      </div>
      <footer class="ulfoot t3 fs12">
        <span>
          <b class="med t2">{tn(counts.active, '{n} user', '{n} users')}</b>
          {counts.unseen > 0 && `, ${tn(counts.unseen, '{n} has not signed in yet', '{n} have not signed in yet')}`}
          {counts.deactivated > 0 && `, ${tn(counts.deactivated, '{n} deactivated', '{n} deactivated')}`}
          {total > people.length &&
            `. ${t('Only the first {n} are listed; search for the others.', { n: people.length })}`}
        </span>
        <span class="end wide hs">
          <Kbd keys="j" /> <Kbd keys="k" /> {t('move')}
        </span>
      </footer>
    </section>
  )
}
