import { useEffect, useId, useState } from 'preact/hooks'
import type { WireApiKeys, WireKeyModels, WireNewApiKey } from '../../../../../../kernel/admin/wire-keys.ts'
import { dayOf, formatDate } from '../../../core/format.ts'
import { hotkeys } from '../../../core/hotkeys.ts'
import { t } from '../../../core/i18n.ts'
import { CallError, explain, isCancelled } from '../../../net/errors.ts'
import { postJson } from '../../../net/json-routes.ts'
import { services } from '../../../services.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, openDialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useAsked } from '../use-asked.ts'
import { chosenModels, describeRights, EMPTY_SCOPE, keyScopeOf, rightsIn, type ScopeDraft } from './scope.ts'
import { ScopeMatrix } from './scope-matrix.tsx'

/** Asks for name, expiry and scope of a key. Resolves with the new key, or null if none was made. */
export const openNewKey = (found: WireApiKeys): Promise<WireNewApiKey | null> =>
  openDialog<WireNewApiKey | null>((close) => <NewKeyDialog found={found} onDone={close} />)

const DAYS = [30, 90, 180, 365] as const
const USUAL_DAYS = 90
const MAX_NAME_CHARS = 100
/** The address at which users who are no administrators create their keys. */
const OWN_KEYS = '/web/account/keys'

interface NewKeyDialogProps {
  readonly found: WireApiKeys
  readonly onDone: (made: WireNewApiKey | null) => void
}

function NewKeyDialog({ found, onDone }: NewKeyDialogProps) {
  const { id: own, isAdmin } = services().session.bootstrap.user
  const [name, setName] = useState('')
  const [days, setDays] = useState<number>(USUAL_DAYS)
  const [owner, setOwner] = useState(found.owners.some(({ id }) => id === own) ? own : (found.owners[0]?.id ?? own))
  const [draft, keepDraft] = useState<ScopeDraft>(EMPTY_SCOPE)
  const [problem, setProblem] = useState<{ readonly field: 'name' | 'scope'; readonly text: string } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const setDraft = (next: ScopeDraft) => {
    keepDraft(next)
    setProblem(null)
  }
  const models = useAsked<WireKeyModels>(isAdmin ? `/web/settings/keys/models?user=${owner}` : OWN_KEYS)
  const [form, expires, owners] = [useId(), useId(), useId()]
  const ownerName = found.owners.find(({ id }) => id === owner)?.name ?? ''

  async function submit(): Promise<void> {
    if (isBusy || models.value === null) return
    const empty = !draft.isWhole && chosenModels(draft).length === 0
    if (name.trim() === '') return setProblem({ field: 'name', text: t('A name is needed.') })
    if (empty) return setProblem({ field: 'scope', text: t('Choose what the key may do.') })
    setBusy(true)
    setProblem(null)
    try {
      const scope = keyScopeOf(within(draft, models.value), models.value.methods)
      const asked = { name, expires_days: days, scope }
      onDone(
        isAdmin
          ? await postJson<WireNewApiKey>('/web/settings/keys', { ...asked, user_id: owner })
          : await postJson<WireNewApiKey>(OWN_KEYS, asked),
      )
    } catch (error) {
      setBusy(false)
      if (isCancelled(error)) return
      const field = error instanceof CallError && 'name' in error.fields ? 'name' : 'scope'
      const fields = error instanceof CallError ? error.fields : {}
      setProblem({ field, text: fields[field] ?? explain(error).text })
    }
  }
  useEffect(() =>
    hotkeys.add({ keys: 'mod+enter', label: t('Create key'), group: t('API keys'), run: () => void submit() }),
  )

  return (
    <Dialog
      title={t('New API key')}
      class="newkey"
      onClose={() => onDone(null)}
      footer={
        <>
          <span class="hint grow wide">{t('Acts as {name}', { name: ownerName })}</span>
          <Button label={t('Cancel')} onClick={() => onDone(null)} />
          <Button
            label={t('Create key')}
            kind="primary"
            keys="mod+enter"
            type="submit"
            form={form}
            isBusy={isBusy}
            disabled={models.value === null}
          />
        </>
      }
    >
      <form
        id={form}
        class="fields"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <div class="kf">
          <TextField
            label={t('What it is for')}
            value={name}
            maxLength={MAX_NAME_CHARS}
            problem={problem?.field === 'name' ? problem.text : undefined}
            onInput={setName}
          />
          <div class="field">
            <label class="label" for={expires}>
              {t('Expires')}
            </label>
            <span class="pick">
              <select
                class="select"
                id={expires}
                value={String(days)}
                onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
              >
                {DAYS.filter((each) => each <= found.maxDays).map((each) => (
                  <option key={each} value={String(each)}>
                    {t('In {n} days, {date}', { n: each, date: formatDate(dayIn(each), 'long') })}
                  </option>
                ))}
              </select>
              <Icon name="chevron-down" size="s" />
            </span>
          </div>
        </div>
        {isAdmin && (
          <div class="field">
            <label class="label" for={owners}>
              {t('Owner')}
            </label>
            <span class="pick">
              <select
                class="select"
                id={owners}
                value={String(owner)}
                onChange={({ currentTarget }) => setOwner(Number(currentTarget.value))}
              >
                {found.owners.map(({ id, name: each }) => (
                  <option key={id} value={String(id)}>
                    {each}
                  </option>
                ))}
              </select>
              <Icon name="chevron-down" size="s" />
            </span>
            <span class="hint">{t('The key never does more than its owner may.')}</span>
          </div>
        )}
        <fieldset class="plain">
          <legend class="label">{t('What it may do')}</legend>
          <div class="scopeset">
            <span class="seg" role="radiogroup" aria-label={t('What it may do')}>
              {[false, true].map((isWhole) => (
                <label key={String(isWhole)}>
                  <input
                    type="radio"
                    class="vh"
                    name={`${form}-whole`}
                    checked={draft.isWhole === isWhole}
                    onChange={() => setDraft({ ...draft, isWhole })}
                  />
                  {isWhole ? t('Everything {name} may', { name: ownerName }) : t('Chosen models')}
                </label>
              ))}
            </span>
            <Switch
              class="end"
              label={t('Read only')}
              isOn={draft.isReadOnly}
              onChange={(isReadOnly) => setDraft({ ...draft, isReadOnly })}
            />
          </div>
          {!draft.isWhole && models.value !== null && (
            <ScopeMatrix found={models.value} draft={draft} onChange={setDraft} />
          )}
        </fieldset>
        {isAdmin && (
          <label class="opt">
            <input
              type="checkbox"
              class="check"
              checked={draft.credentials}
              disabled={draft.isReadOnly}
              onChange={({ currentTarget }) => setDraft({ ...draft, credentials: currentTarget.checked })}
            />
            {t('Also change logins, addresses, groups and keys of users')}
          </label>
        )}
        <ScopeSentence draft={draft} models={models.value} owner={ownerName} />
        {problem?.field === 'scope' && (
          <p class="err" role="alert">
            {problem.text}
          </p>
        )}
        {models.error !== null && <p class="err">{explain(models.error).text}</p>}
      </form>
    </Dialog>
  )
}

const dayIn = (days: number): string => dayOf(new Date(Date.now() + days * 86_400_000).toISOString())

/** The draft without rights that the new owner lacks, and without credentials if it may not write. */
function within(draft: ScopeDraft, { models }: WireKeyModels): ScopeDraft {
  const rights = Object.fromEntries(
    models.map(({ model, rights: may }) => [model, (draft.rights[model] ?? []).filter((right) => may.includes(right))]),
  )
  return { ...draft, rights, credentials: draft.credentials && !draft.isReadOnly }
}

interface ScopeSentenceProps {
  readonly draft: ScopeDraft
  readonly models: WireKeyModels | null
  readonly owner: string
}

/** The choice in one sentence. */
function ScopeSentence({ draft, models, owner }: ScopeSentenceProps) {
  if (models === null) return null
  const kept = within(draft, models)
  const named = models.models
    .map(({ model, label }) => ({ label, rights: rightsIn(kept, model) }))
    .filter(({ rights }) => rights.length > 0)
  const sentence = draft.isWhole
    ? draft.isReadOnly
      ? t('This key may read everything {name} may read.', { name: owner })
      : t('This key may do everything {name} may, but change logins, groups and keys of users.', { name: owner })
    : named.length === 0
      ? t('This key may do nothing yet. A dash means that {name} may not do it either.', { name: owner })
      : t('This key may use: {list}. Nothing else, also not through related records.', { list: describeRights(named) })
  return (
    <p class={kept.credentials ? 'note warning' : 'note'} aria-live="polite">
      <Icon name={kept.credentials ? 'triangle-alert' : 'shield'} />
      <span>
        {sentence} {kept.credentials && t('It may also make itself an administrator if its owner is one.')}
      </span>
    </p>
  )
}
