import { useState } from 'preact/hooks'
import type { WireHandOver, WireHandOverItem, WirePerson } from '../../../../../../kernel/admin/wire-people.ts'
import { formatInteger, formatList, formatRelative } from '../../../core/format.ts'
import { t, tn } from '../../../core/i18n.ts'
import { isCancelled } from '../../../net/errors.ts'
import { getJson, postJson } from '../../../net/json-routes.ts'
import { appIcon } from '../../../router/menus.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, openDialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { showError, showToast } from '../../../ui/toasts.tsx'

/** Shows the records of the user, asks who takes them, and deactivates the user. Resolves to whether that was done. */
export async function openDeactivate(person: WirePerson): Promise<boolean> {
  try {
    const holds = await getJson<WireHandOver>(`/web/settings/users/${person.id}/handover`)
    return await openDialog<boolean>((close) => <DeactivateDialog person={person} holds={holds} onDone={close} />)
  } catch (error) {
    showError(error)
    return false
  }
}

/** Who takes an item: a user, no user, or the records stay. */
type Taker = number | 'nobody' | 'stay'

interface DeactivateDialogProps {
  readonly person: WirePerson
  readonly holds: WireHandOver
  readonly onDone: (isDone: boolean) => void
}

function DeactivateDialog({ person, holds, onDone }: DeactivateDialogProps) {
  const { name } = person
  const items = holds.items.filter(({ count }) => count > 0)
  const [takers, setTakers] = useState<Readonly<Record<string, Taker>>>({})
  const [heir, setHeir] = useState<Taker>('stay')
  const [isBusy, setBusy] = useState(false)
  const takerOf = ({ key }: WireHandOverItem): Taker => takers[key] ?? 'stay'
  const moved = items.filter((item) => takerOf(item) !== 'stay').reduce((sum, { count }) => sum + count, 0)
  const elsewhere = holds.items.reduce((sum, item) => sum + item.elsewhere, 0)
  const used = holds.keys.filter(({ usedAt }) => usedAt !== null)

  /** Assigns the taker to every item they may take; for the others the choice stays open, and a line says so. */
  function giveAll(taker: Taker): void {
    setHeir(taker)
    setTakers(
      Object.fromEntries(items.map((item) => [item.key, mayTake(item, taker) ? taker : (takers[item.key] ?? 'stay')])),
    )
  }

  async function submit(): Promise<void> {
    if (isBusy) return
    setBusy(true)
    try {
      const chosen = Object.fromEntries(
        items.flatMap((item) => {
          const taker = takerOf(item)
          return taker === 'stay' ? [] : [[item.key, taker === 'nobody' ? null : taker]]
        }),
      )
      const result = await postJson<{ readonly moved: number }>(`/web/settings/users/${person.id}/deactivate`, {
        takers: chosen,
      })
      showToast({
        level: 'success',
        text: t('{name} is deactivated', { name }),
        ...(result.moved > 0 && { more: items.flatMap((item) => toldOf(holds, item, takerOf(item))).join(' · ') }),
      })
      onDone(true)
    } catch (error) {
      setBusy(false)
      if (!isCancelled(error)) showError(error)
    }
  }

  return (
    <Dialog
      title={t('Deactivate {name}', { name })}
      class="deact"
      onClose={() => onDone(false)}
      footer={
        <>
          <span class="hint grow hofoot">
            {moved > 0 && tn(moved, '{n} record changes hands, in one step', '{n} records change hands, in one step')}
          </span>
          <Button label={t('Cancel')} keys="escape" onClick={() => onDone(false)} />
          <Button
            label={moved > 0 ? t('Deactivate and hand over') : t('Deactivate')}
            kind="danger"
            isBusy={isBusy}
            onClick={() => void submit()}
          />
        </>
      }
    >
      <p class="t2">
        {t('{name} is signed out at once and can no longer sign in. What {name} wrote keeps the name.', { name })}{' '}
        {t('You can activate the user again.')}
      </p>
      {items.length > 0 && (
        <>
          <div class="hs wrap handall">
            <label class="med" for="hand-all">
              {t('Hand everything to')}
            </label>
            <TakerSelect
              id="hand-all"
              holds={holds}
              value={heir}
              isOpenChoice
              takers={items.flatMap((item) => item.takers)}
              onChoose={giveAll}
            />
          </div>
          <p class="hint" role="status">
            {leftBy(holds, items, heir)}
          </p>
          <div class="scroll-x">
            <table class="tbl prev ho">
              <thead>
                <tr>
                  <th scope="col">{t('What {name} holds', { name })}</th>
                  <th scope="col" class="num">
                    {t('Records')}
                  </th>
                  <th scope="col">{t('Goes to')}</th>
                </tr>
              </thead>
              <tbody>
                {items.map((item) => (
                  <tr key={item.key}>
                    <th scope="row">
                      <span class="hs">
                        <Icon name={appIcon(item.module)} />
                        {item.label}
                      </span>
                    </th>
                    <td class="num">{formatInteger(item.count)}</td>
                    <td>
                      <TakerSelect
                        holds={holds}
                        value={takerOf(item)}
                        takers={item.takers}
                        mayBeNobody={item.mayBeNobody}
                        label={t('Who takes: {what}', { what: item.label })}
                        onChoose={(taker) => setTakers({ ...takers, [item.key]: taker })}
                      />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      {used.map((key) => (
        <p class="note warning" key={key.id}>
          <Icon name="triangle-alert" />
          <span>
            {t('The key {key} was used {time}. It is revoked for good, and its program stops working.', {
              key: key.name,
              time: formatRelative(key.usedAt!, new Date()),
            })}
          </span>
        </p>
      ))}
      <p class="hint">
        {[
          holds.sessions > 0 ? tn(holds.sessions, '{n} session ends.', '{n} sessions end.') : '',
          holds.keys.length > used.length
            ? tn(holds.keys.length - used.length, '{n} unused key is revoked.', '{n} unused keys are revoked.')
            : '',
          elsewhere > 0
            ? tn(
                elsewhere,
                '{n} record of a company you do not work in stays.',
                '{n} records of companies you do not work in stay.',
              )
            : '',
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
    </Dialog>
  )
}

const mayTake = ({ takers, mayBeNobody }: WireHandOverItem, taker: Taker): boolean =>
  taker === 'stay' || (taker === 'nobody' ? mayBeNobody : takers.includes(taker))

const nameOf = ({ people }: WireHandOver, taker: Taker): string =>
  taker === 'nobody' ? t('Nobody') : (people.find(({ id }) => id === taker)?.name ?? '')

/** The records that were handed over and their new user; without those that stay. */
const toldOf = (holds: WireHandOver, { label, count }: WireHandOverItem, taker: Taker): readonly string[] =>
  taker === 'stay'
    ? []
    : [t('{what}: {n} to {name}', { what: label, n: formatInteger(count), name: nameOf(holds, taker) })]

/** The items that the chosen taker of everything may not take. */
function leftBy(holds: WireHandOver, items: readonly WireHandOverItem[], heir: Taker): string {
  const left = items.filter((item) => !mayTake(item, heir))
  if (left.length === 0) return ''
  const what = formatList(left.map(({ label }) => label))
  return t('{name} may not take: {what}. Choose somebody for it below, or it stays.', {
    name: nameOf(holds, heir),
    what,
  })
}

interface TakerSelectProps {
  readonly id?: string
  readonly holds: WireHandOver
  readonly value: Taker
  readonly takers: readonly number[]
  readonly mayBeNobody?: boolean
  readonly label?: string
  /** Nothing is chosen yet, which differs from letting the records stay. */
  readonly isOpenChoice?: boolean
  readonly onChoose: (taker: Taker) => void
}

function TakerSelect({ id, holds, value, takers, mayBeNobody, label, isOpenChoice, onChoose }: TakerSelectProps) {
  const read = (text: string): Taker => (text === 'nobody' || text === 'stay' ? text : Number(text))
  return (
    <span class="pick grow">
      <select
        class="select"
        {...(id !== undefined && { id })}
        {...(label !== undefined && { 'aria-label': label })}
        value={String(value)}
        onChange={({ currentTarget }) => onChoose(read(currentTarget.value))}
      >
        <option value="stay">{isOpenChoice ? t('Choose somebody') : t('Stays as it is')}</option>
        {mayBeNobody && <option value="nobody">{t('Nobody')}</option>}
        {holds.people
          .filter((person) => takers.includes(person.id))
          .map((person) => (
            <option key={person.id} value={String(person.id)}>
              {person.name}
            </option>
          ))}
      </select>
      <Icon name="chevron-down" size="s" />
    </span>
  )
}
