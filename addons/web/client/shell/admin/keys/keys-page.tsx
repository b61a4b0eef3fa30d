import { useEffect, useState } from 'preact/hooks'
import type { WireApiKey, WireApiKeys, WireNewApiKey } from '../../../../../../kernel/admin/wire-keys.ts'
import { formatInteger } from '../../../core/format.ts'
import { hotkeys } from '../../../core/hotkeys.ts'
import { t } from '../../../core/i18n.ts'
import { isCancelled } from '../../../net/errors.ts'
import { changeRoute, type Route } from '../../../router/codec.ts'
import { services } from '../../../services.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm } from '../../../ui/dialog.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { SearchBox } from '../../../ui/search-box.tsx'
import { showError, showToast } from '../../../ui/toasts.tsx'
import { LoadState } from '../load-state.tsx'
import { useAsked } from '../use-asked.ts'
import { openKey } from './key-dialog.tsx'
import { KeysTable } from './keys-table.tsx'
import { MadeKey } from './made-key.tsx'
import { openNewKey } from './new-key-dialog.tsx'
import '../admin.css'
import './keys.css'

/** The owner whose keys are listed, and the searched text. */
interface KeysPlace {
  readonly mine?: string | undefined
  readonly q?: string | undefined
}

/** How often the page reads when keys were used last. */
const USED_MS = 10_000

/** API keys: all of them for administrators, otherwise the user's own. */
export function Page({ route }: { readonly route: Route }) {
  const place: KeysPlace = route.state
  // If there are more keys than listed, the server searches them.
  const [isCut, setCut] = useState(false)
  const search = isCut && place.q ? `?q=${encodeURIComponent(place.q)}` : ''
  const asked = useAsked<WireApiKeys>(`/web/settings/keys${search}`, ['core.api.key', 'core.user'])
  // No event reports the use of a key, so the page polls.
  useEffect(() => {
    const timer = setInterval(() => document.hidden || asked.reload(), USED_MS)
    return () => clearInterval(timer)
  }, [asked.reload])
  const [made, setMade] = useState<WireNewApiKey | null>(null)
  const found = asked.value
  const { isAdmin } = services().session.bootstrap.user
  const go = (next: KeysPlace) =>
    void services().router.go(changeRoute(route, {}, { ...next }), { replace: true, isSibling: true })

  async function create(): Promise<void> {
    if (found === null) return
    const key = await openNewKey(found)
    if (key === null) return
    setMade(key)
    asked.reload()
  }
  useEffect(() => hotkeys.add({ keys: 'n', label: t('New key'), group: t('API keys'), run: () => void create() }))

  async function revoke({ id, name }: Pick<WireApiKey, 'id' | 'name'>): Promise<void> {
    const isMeant = await confirm({
      title: t('Revoke {name}?', { name }),
      text: t('Programs that use the key stop working at once. A revoked key stays revoked.'),
      action: t('Revoke'),
      isDanger: true,
    })
    if (!isMeant) return
    try {
      await services().rpc.call('core.api.key', 'write', [[id], { active: false }])
      if (made?.id === id) setMade(null)
      showToast({ level: 'success', text: t('{name} is revoked', { name }) })
      asked.reload()
    } catch (error) {
      if (!isCancelled(error)) showError(error)
    }
  }

  async function open(key: WireApiKey): Promise<void> {
    if (await openKey(key)) await revoke(key)
  }

  if (found === null) return <LoadState asked={asked} />
  if (found.total > found.keys.length && !isCut) setCut(true)
  const shown = matching(found, place)
  return (
    <div class="view">
      <div class="scroll" data-scroll="keys">
        <div class="adminpage">
          {made !== null && (
            <MadeKey
              made={made}
              model={exampleModel(found, made)}
              onStored={() => setMade(null)}
              onRevoke={() => void revoke(made)}
            />
          )}
          <div class="panel">
            <header>
              <h2>{isAdmin && place.mine !== '1' ? t('All keys') : t('Your keys')}</h2>
              <span class="count">{shown.length}</span>
              <span class="end">
                {isAdmin && (
                  <span class="seg" role="radiogroup" aria-label={t('Whose keys')}>
                    {[undefined, '1'].map((mine) => (
                      <label key={mine ?? ''}>
                        <input
                          type="radio"
                          class="vh"
                          name="whose"
                          checked={place.mine === mine}
                          onChange={() => go({ mine })}
                        />
                        {mine === undefined ? t('Everybody’s') : t('Mine')}
                      </label>
                    ))}
                  </span>
                )}
                {found.keys.length > 0 && (
                  <SearchBox
                    label={t('Search keys')}
                    group={t('API keys')}
                    text={place.q ?? ''}
                    onInput={(q) => go({ q: q || undefined })}
                  />
                )}
                <Button label={t('New key')} icon="plus" keys="n" onClick={() => void create()} />
              </span>
            </header>
            {shown.length > 0 ? (
              <KeysTable
                keys={shown}
                hasOwners={isAdmin}
                onOpen={(key) => void open(key)}
                onRevoke={(key) => void revoke(key)}
              />
            ) : place.q ? (
              <Empty
                icon="search-x"
                title={t('No key matches this search')}
                actions={<Button label={t('Clear search')} onClick={() => go({ q: undefined })} />}
              />
            ) : (
              <Empty
                icon="key-round"
                title={t('No API keys yet')}
                text={t('A key lets another program work here with part of your rights.')}
                actions={<Button label={t('New key')} icon="plus" kind="primary" onClick={() => void create()} />}
              />
            )}
            <footer class="keyfoot fs12 t3">
              {found.total > found.keys.length && (
                <>
                  {t('{n} of {total} keys are listed; the search finds the others.', {
                    n: formatInteger(found.keys.length),
                    total: formatInteger(found.total),
                  })}{' '}
                </>
              )}
              {t('A key never does more than its owner may; deactivating the owner revokes it.')}
            </footer>
          </div>
        </div>
      </div>
    </div>
  )
}

function matching({ keys }: WireApiKeys, { mine, q = '' }: KeysPlace): readonly WireApiKey[] {
  const own = services().session.bootstrap.user.id
  const wanted = q.trim().toLowerCase()
  return keys.filter(
    ({ name, hint, owner, scope }) =>
      (mine !== '1' || owner.id === own) &&
      [name, hint ?? '', owner.name, ...scope.models.flatMap(({ model, label }) => [model, label])].some((text) =>
        text.toLowerCase().includes(wanted),
      ),
  )
}

/** A model that the new key may read. */
function exampleModel({ keys }: WireApiKeys, made: WireNewApiKey): string {
  const models = keys.find(({ id }) => id === made.id)?.scope.models ?? []
  return models.find(({ rights, model }) => model !== '*' && rights.includes('read'))?.model ?? 'core.partner'
}
