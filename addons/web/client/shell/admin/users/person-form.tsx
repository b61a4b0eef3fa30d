import { useEffect, useState } from 'preact/hooks'
import type { WirePeople, WirePerson, WirePersonDetails } from '../../../../../../kernel/admin/wire-people.ts'
import { t, tn } from '../../../core/i18n.ts'
import { services } from '../../../services.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/empty.tsx'
import { MenuButton } from '../../../ui/menu.tsx'
import { DelayedSkeleton, SkeletonForm } from '../../../ui/skeleton.tsx'
import { showError, showToast } from '../../../ui/toasts.tsx'
import { useAsked } from '../use-asked.ts'
import { useSaveKeys } from '../use-save-keys.ts'
import { CompanyRows } from './company-rows.tsx'
import { openDeactivate } from './deactivate-dialog.tsx'
import { sendLinkTo } from './invite-dialog.tsx'
import { KeyItems, SessionItems } from './person-credentials.tsx'
import { PersonFace } from './person-row.tsx'
import { RoleRows } from './role-rows.tsx'
import { isSameSet, linkCommands } from './roles.ts'
import type { UsersPlace } from './users-page.tsx'

export interface PersonFormProps {
  readonly id: number
  /** The user as in the list; null if the list does not show the user. */
  readonly known: WirePerson | null
  readonly found: WirePeople
  readonly onGo: (place: UsersPlace, replace?: boolean) => void
  readonly onChanged: () => void
}

/** One user: roles and companies that are saved together, sessions and keys that are ended at once. */
export function PersonForm(props: PersonFormProps) {
  const asked = useAsked<WirePersonDetails>(`/web/settings/users/${props.id}`, ['core.user', 'core.api.key'])
  const details = asked.value
  const person = details?.person ?? props.known
  return (
    <section class="uform" aria-label={person?.name ?? t('Selected user')}>
      {asked.error !== null && details === null ? (
        <ErrorState error={asked.error} onRetry={asked.reload} />
      ) : person === null || details === null ? (
        <DelayedSkeleton>
          <SkeletonForm />
        </DelayedSkeleton>
      ) : (
        <Details {...props} details={details} reload={asked.reload} />
      )}
    </section>
  )
}

/** Unsaved changes. */
interface PersonDraft {
  readonly groupIds: readonly number[]
  readonly companyIds: readonly number[]
  readonly companyId: number | null
}

const draftOf = ({ groupIds, companyIds, companyId }: WirePerson): PersonDraft => ({ groupIds, companyIds, companyId })

interface DetailsProps extends PersonFormProps {
  readonly details: WirePersonDetails
  readonly reload: () => void
}

function Details({ found, details, reload, onGo, onChanged }: DetailsProps) {
  const { person } = details
  const [draft, setDraft] = useState<PersonDraft>(draftOf(person))
  const [isBusy, setBusy] = useState(false)
  const changes = changesOf(person, draft)
  const count = Object.keys(changes).length
  const isSelf = person.id === services().session.bootstrap.user.id
  // Values saved by another user are shown at once, unless they are being changed here.
  useEffect(() => {
    if (count === 0) setDraft(draftOf(person))
  }, [person])
  const refresh = () => {
    reload()
    onChanged()
  }

  async function run(act: () => Promise<unknown>): Promise<boolean> {
    setBusy(true)
    try {
      await act()
      refresh()
      return true
    } catch (error) {
      showError(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  const save = () =>
    run(async () => {
      await services().rpc.call('core.user', 'write', [[person.id], changes])
      showToast({ level: 'success', text: t('Saved') })
    })
  const discard = () => setDraft(draftOf(person))
  useSaveKeys({
    isDirty: count > 0 && !isBusy,
    group: t('Users'),
    text: t('The changes to this user are not saved.'),
    save,
    discard,
  })

  return (
    <>
      <div class="scroll" data-scroll="user">
        <div class="ubody">
          <header class="uhead">
            <Button
              label={t('All users')}
              icon="arrow-left"
              iconOnly
              kind="ghost"
              class="uback"
              onClick={() => onGo({ user: undefined })}
            />
            <PersonFace person={person} size="l" />
            <div class="grow">
              <h2>{person.name}</h2>
              <p class="t2 cut">{person.email ?? person.login}</p>
            </div>
            <Button label={t('Explain access')} icon="shield" href={`/web/settings/access#user=${person.id}`} />
            <MenuButton
              label={t('More actions')}
              icon="ellipsis"
              iconOnly
              kind="ghost"
              align="end"
              items={() => [
                {
                  label: t('Open the whole record'),
                  icon: 'external-link',
                  href: `/web?model=core.user&view_type=form&id=${person.id}`,
                },
                ...(person.active && person.invitation === null
                  ? [
                      {
                        label: t('Link for a new password…'),
                        icon: 'link',
                        run: () => void sendLinkTo(person, found.mail).then(refresh),
                      },
                    ]
                  : []),
              ]}
            />
          </header>
          {person.active && person.invitation !== null && (
            <p class="note">
              <span class="grow">
                {person.invitation.state === 'sent'
                  ? t('Invited. The link works for a week.')
                  : t('Has no password yet, so cannot sign in.')}
              </span>
              <Button
                label={person.invitation.state === 'none' ? t('Invite') : t('Send again')}
                size="sm"
                onClick={() => void sendLinkTo(person, found.mail).then(refresh)}
              />
            </p>
          )}
          <section class="fs">
            <div class="fsh">
              <h3>{t('Roles')}</h3>
              <span class="t3 fs12">{t('one choice per app')}</span>
            </div>
            <RoleRows
              roles={found.roles}
              groupIds={draft.groupIds}
              stored={person.groupIds}
              onChange={(groupIds) => setDraft({ ...draft, groupIds })}
            />
          </section>
          {found.companies.length > 1 && (
            <section class="fs">
              <div class="fsh">
                <h3>{t('Companies')}</h3>
              </div>
              <CompanyRows
                companies={found.companies}
                companyIds={draft.companyIds}
                companyId={draft.companyId}
                onChange={(part) => setDraft({ ...draft, ...part })}
              />
            </section>
          )}
          <SessionItems person={person} sessions={details.sessions} onRun={run} />
          <KeyItems keys={details.keys} onRun={run} />
          {!isSelf && (
            <section class="fs last">
              <div class="hs wrap">
                <div class="two grow">
                  <h3>{person.active ? t('Deactivate') : t('Activate')}</h3>
                  <span class="hint">
                    {person.active
                      ? t('Records are handed over first; nothing is deleted.')
                      : t('Roles and companies are as they were. Keys stay revoked.')}
                  </span>
                </div>
                {person.active ? (
                  <Button
                    label={t('Deactivate…')}
                    icon="user-x"
                    kind="warn"
                    onClick={() => void openDeactivate(person).then((isDone) => isDone && refresh())}
                  />
                ) : (
                  <Button
                    label={t('Activate')}
                    isBusy={isBusy}
                    onClick={() =>
                      void run(() => services().rpc.call('core.user', 'write', [[person.id], { active: true }]))
                    }
                  />
                )}
              </div>
            </section>
          )}
        </div>
      </div>
      {count > 0 && (
        <div class="savebar" role="region" aria-label={t('Unsaved changes')}>
          <span class="dot" />
          <span>{tn(count, '{n} unsaved change', '{n} unsaved changes')}</span>
          <span class="end hs">
            <Button label={t('Discard')} kind="ghost" keys="escape" disabled={isBusy} onClick={discard} />
            <Button label={t('Save')} keys="mod+s" isBusy={isBusy} onClick={() => void save()} />
          </span>
        </div>
      )}
    </>
  )
}

/** The values to write, by field. */
function changesOf(person: WirePerson, draft: PersonDraft): Readonly<Record<string, unknown>> {
  return {
    ...(!isSameSet(person.groupIds, draft.groupIds) && { group_ids: linkCommands(person.groupIds, draft.groupIds) }),
    ...(!isSameSet(person.companyIds, draft.companyIds) && {
      company_ids: linkCommands(person.companyIds, draft.companyIds),
    }),
    ...(person.companyId !== draft.companyId && { company_id: draft.companyId }),
  }
}
