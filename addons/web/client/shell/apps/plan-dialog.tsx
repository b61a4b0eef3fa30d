import { useId, useState } from 'preact/hooks'
import type { WireModuleChange, WireModulePlan, WirePlannedAction } from '../../../../../kernel/module/wire-modules.ts'
import type { WireModule } from '../../../../../kernel/view/wire.ts'
import { formatInteger } from '../../core/format.ts'
import { msg, t, tn } from '../../core/i18n.ts'
import { getJson } from '../../net/json-routes.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, openDialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Changes } from './changes.tsx'

/** Shows what a change of modules would do and asks for confirmation; only an update may be of several. False if it was cancelled. */
export async function confirmChange(modules: readonly WireModule[], action: WirePlannedAction): Promise<boolean> {
  const names = modules.map(({ name }) => name)
  const plan = await getJson<WireModulePlan>(`/web/module/plan?module=${names}&action=${action}`)
  return openDialog<boolean>((close) => <PlanDialog modules={modules} action={action} plan={plan} onDone={close} />)
}

/** One module by its name, several by their number. */
export const modulesTitle = (modules: readonly WireModule[]): string =>
  modules.length === 1
    ? modules[0]!.title
    : tn(modules.length, '{n} app', '{n} apps', { n: formatInteger(modules.length) })

interface PlanDialogProps {
  readonly modules: readonly WireModule[]
  readonly action: WirePlannedAction
  readonly plan: WireModulePlan
  readonly onDone: (isMeant: boolean) => void
}

const WORDS: Readonly<
  Record<WirePlannedAction, () => { readonly label: string; readonly title: (module: string) => string }>
> = {
  install: () => ({ label: t('Install'), title: (module) => t('Install {module}', { module }) }),
  update: () => ({ label: t('Update'), title: (module) => t('Update {module}', { module }) }),
  deactivate: () => ({ label: t('Deactivate'), title: (name) => t('Deactivate {name}', { name }) }),
  uninstall: () => ({ label: t('Uninstall'), title: (module) => t('Uninstall {module}', { module }) }),
}

const LOADING = msg('Others can read meanwhile, and saving may wait. If it fails, nothing has changed.')

const MEANING: Readonly<Record<WirePlannedAction, string>> = {
  install: LOADING,
  update: LOADING,
  deactivate: msg('Nobody finds it until it is activated again. Nothing is deleted.'),
  uninstall: msg('This takes the app and its menus away. What is set aside comes back with a later install.'),
}

/** Whether a change loses data, so that the user has to confirm it explicitly. */
const isLoss = ({ kind, what, count }: WireModuleChange): boolean =>
  count > 0 && (kind === 'lose' || (kind === 'aside' && what === 'fields'))

function PlanDialog({ modules, action, plan, onDone }: PlanDialogProps) {
  const [isMeant, setMeant] = useState(false)
  const form = useId()
  const { label, title } = WORDS[action]()
  const isUninstall = action === 'uninstall'
  const needsTick = !isUninstall && plan.changes.some(isLoss)
  const isReady = plan.problems.length === 0 && (isMeant || !(isUninstall || needsTick))
  const along = plan.modules
    .filter(({ name }) => !modules.some((module) => module.name === name))
    .map((each) => each.title)
  return (
    <Dialog
      title={title(modulesTitle(modules))}
      class="modplan"
      onClose={() => onDone(false)}
      footer={
        <>
          <Button label={isUninstall ? t('Keep it') : t('Cancel')} onClick={() => onDone(false)} />
          <Button
            label={label}
            kind={isUninstall ? 'danger' : 'primary'}
            type="submit"
            form={form}
            disabled={!isReady}
          />
        </>
      }
    >
      {plan.problems.map((problem) => (
        <p class="note danger" key={problem}>
          <Icon name="circle-x" />
          <span>{problem}</span>
        </p>
      ))}
      <p class="t2">{t(MEANING[action])}</p>
      {along.length > 0 && (
        <p>
          <span class="t2">{t('Comes along:')}</span> <b class="med">{along.join(', ')}</b>
        </p>
      )}
      {modules.length > 1 && <Versions modules={plan.modules} />}
      <Changes changes={plan.changes} />
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) onDone(true)
        }}
      >
        {isUninstall && <TypedName {...modules[0]!} onMeant={setMeant} />}
        {needsTick && (
          <label class="hs">
            <input
              type="checkbox"
              class="cb"
              checked={isMeant}
              onChange={({ currentTarget }) => setMeant(currentTarget.checked)}
            />
            {t('I have read which values go.')}
          </label>
        )}
      </form>
    </Dialog>
  )
}

const Versions = ({ modules }: Pick<WireModulePlan, 'modules'>) => (
  <ul class="versions" aria-label={t('Versions')}>
    {modules.map(({ name, title, from, to }) => (
      <li key={name} class="hs">
        <b class="med">{title}</b>
        <span class="end t3 fs12 tn">{t('{from} → {to}', { from: from ?? '', to: to ?? '' })}</span>
      </li>
    ))}
  </ul>
)

interface TypedNameProps {
  readonly name: string
  readonly title: string
  readonly onMeant: (isMeant: boolean) => void
}

/** An input for the name of the module; accepts the shown title and the technical name in any case. */
function TypedName({ name, title, onMeant }: TypedNameProps) {
  const input = useId()
  const taken = [name, title].map((each) => each.toLowerCase())
  return (
    <div class="field">
      <label class="label" for={input}>
        {t('Type {name} to confirm', { name: title })}
      </label>
      <input
        class="input"
        id={input}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => onMeant(taken.includes(currentTarget.value.trim().toLowerCase()))}
      />
    </div>
  )
}
