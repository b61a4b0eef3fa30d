import type { WireApiKey, WireKeyScope } from '../../../../../../kernel/admin/wire-keys.ts'
import { dayOf, formatDate, formatRelative } from '../../../core/format.ts'
import { msg, t, tn } from '../../../core/i18n.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Icon, type IconProps } from '../../../ui/icon.tsx'
import { ScrollBox } from '../../../ui/scroll-box.tsx'
import { Ago } from '../ago.tsx'
import { type KeyReach, onlyReads, reachOf } from './scope.ts'

export interface KeysTableProps {
  readonly keys: readonly WireApiKey[]
  readonly hasOwners: boolean
  readonly onOpen: (key: WireApiKey) => void
  readonly onRevoke: (key: WireApiKey) => void
}

export const KeysTable = ({ keys, hasOwners, onOpen, onRevoke }: KeysTableProps) => (
  <ScrollBox class="scroll-x" label={t('API keys')}>
    <table class="tbl cards keys">
      <thead>
        <tr>
          <th scope="col">{t('Name')}</th>
          {hasOwners && <th scope="col">{t('Owner')}</th>}
          <th scope="col">{t('May do')}</th>
          <th scope="col">{t('Last used')}</th>
          <th scope="col">{t('Expires')}</th>
          <th scope="col">
            <span class="vh">{t('Actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id} class={classNames(stateOf(key) !== 'good' && 'off')}>
            <th scope="row" data-c="n">
              <span class="two">
                <button type="button" class="main cut" onClick={() => onOpen(key)}>
                  {key.name}
                </button>
                <code class="mono t3">{key.hint}</code>
              </span>
            </th>
            {hasOwners && (
              <td data-c="o">
                <span class="who hs">
                  <Avatar id={key.owner.id} name={key.owner.name} isNamed />
                  <span>{key.owner.name}</span>
                </span>
              </td>
            )}
            <td data-c="s">
              <May apiKey={key} />
            </td>
            <td data-c="u" class="t2" data-label={t('Last used')}>
              {key.usedAt === null ? t('never') : <Ago at={key.usedAt} />}
            </td>
            <td data-c="e" data-label={t('Expires')}>
              <Expiry apiKey={key} />
            </td>
            <td data-c="a" class="num">
              {key.active ? (
                <Button
                  label={t('Revoke')}
                  kind="ghost"
                  size="sm"
                  onClick={() => onRevoke(key)}
                  class={reachOf(key.scope) === 'everything' ? 'warn' : ''}
                >
                  <span class="vh"> {key.name}</span>
                </Button>
              ) : (
                <span class="badge">{t('Revoked')}</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollBox>
)

/** Whether programs can still use it. */
const stateOf = ({ active, expiresAt }: WireApiKey): 'good' | 'expired' | 'revoked' =>
  !active ? 'revoked' : expiresAt !== null && Date.parse(expiresAt) < Date.now() ? 'expired' : 'good'

const REACHES: Readonly<
  Record<KeyReach, { readonly icon: IconProps['name']; readonly tone: string; readonly word: string }>
> = {
  everything: { icon: 'triangle-alert', tone: 'danger', word: msg('Everything') },
  writes: { icon: 'pencil', tone: 'warning', word: msg('Writes') },
  reads: { icon: 'eye', tone: '', word: msg('Reads') },
  nothing: { icon: 'minus', tone: '', word: msg('Nothing') },
}
/** Models that are named; further ones are only counted. */
const MAX_NAMED = 3

/** The models of a scope; for a key that may write, also which ones it may only read. */
function whatOf(scope: WireKeyScope): string {
  if (scope.isWhole) return t('all rights of the owner')
  const isRead = ({ rights }: WireKeyScope['models'][number]) => reachOf(scope) === 'writes' && onlyReads(rights)
  const [all, read] = [scope.models.length, scope.models.filter(isRead).length]
  if (all <= MAX_NAMED)
    return scope.models
      .map((each) => (isRead(each) ? t('{model} (read only)', { model: each.label }) : each.label))
      .join(', ')
  return [tn(all, '{n} model', '{n} models'), ...(read > 0 ? [tn(read, '{n} read only', '{n} read only')] : [])].join(
    ' · ',
  )
}

function May({ apiKey: { scope } }: { readonly apiKey: WireApiKey }) {
  const { icon, tone, word } = REACHES[reachOf(scope)]
  return (
    <span class="scp">
      <span class={classNames('state', tone)}>
        <Icon name={icon} size="s" />
        {t(word)}
        {scope.credentials && <span class="badge">{t('credentials')}</span>}
      </span>
      <span class="fs12 t2 cut">{whatOf(scope)}</span>
    </span>
  )
}

const SOON_MS = 14 * 86_400_000

function Expiry({ apiKey }: { readonly apiKey: WireApiKey }) {
  const { expiresAt, changedAt } = apiKey
  const now = new Date()
  const state = stateOf(apiKey)
  if (state === 'revoked')
    return (
      <span class="two">
        <span>{t('Revoked')}</span>
        <span class="fs12 t3">{formatRelative(changedAt, now)}</span>
      </span>
    )
  if (expiresAt === null)
    return (
      <span class="state warning">
        <Icon name="circle-alert" size="s" />
        {t('Never')}
      </span>
    )
  const isSoon = state === 'good' && Date.parse(expiresAt) - now.getTime() < SOON_MS
  return (
    <span class="two">
      <span class={classNames('state', (isSoon || state === 'expired') && 'warning')}>
        {(isSoon || state === 'expired') && <Icon name="clock" size="s" />}
        {state === 'expired' ? t('Expired') : formatDate(dayOf(expiresAt), 'medium')}
      </span>
      <span class="fs12 t3">{formatRelative(expiresAt, now)}</span>
    </span>
  )
}
