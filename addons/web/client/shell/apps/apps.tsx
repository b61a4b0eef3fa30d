import { useState } from 'preact/hooks'
import type { WirePlannedAction } from '../../../../../kernel/module/wire-modules.ts'
import type { WireModule } from '../../../../../kernel/view/wire.ts'
import { formatInteger } from '../../core/format.ts'
import { msg, t } from '../../core/i18n.ts'
import { services } from '../../services.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton, type MenuItem } from '../../ui/menu.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { showError } from '../../ui/toasts.tsx'
import { AppTile } from './app-tile.tsx'
import { type ModuleAction, runModuleAction } from './module-action.ts'
import { confirmChange, modulesTitle } from './plan-dialog.tsx'
import { useProgress } from './use-progress.ts'
import './apps.css'

type Shown = 'apps' | 'installed' | 'updates' | 'all'

const FILTERS: readonly (readonly [Shown, string])[] = [
  ['apps', msg('Apps')],
  ['installed', msg('Installed')],
  ['updates', msg('Updates')],
  ['all', msg('All')],
]

const hasUpdate = ({ state, version, installedVersion }: WireModule): boolean =>
  state === 'installed' && installedVersion !== null && installedVersion !== version

const IS_SHOWN: Readonly<Record<Shown, (module: WireModule) => boolean>> = {
  apps: ({ application }) => application,
  installed: ({ state }) => state !== 'uninstalled',
  updates: hasUpdate,
  all: () => true,
}

/** Whether an action is confirmed with its plan first; switching a module on again is not. */
const isPlanned = (action: ModuleAction): action is WirePlannedAction => action !== 'activate' && action !== 'preview'

/** The running action and its modules. */
interface Busy {
  readonly modules: readonly WireModule[]
  readonly action: ModuleAction
}

/** The catalogue of modules, with buttons to install, update and uninstall them. */
export function Page() {
  const { modules } = services().session.bootstrap
  const [shown, setShown] = useState<Shown>('apps')
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState<Busy | null>(null)
  if (!modules) {
    return (
      <Empty
        icon="lock"
        title={t('You are not allowed to do this')}
        text={t('Only administrators install and remove applications.')}
      />
    )
  }

  async function run(changed: readonly WireModule[], action: ModuleAction): Promise<void> {
    setBusy({ modules: changed, action: isPlanned(action) ? 'preview' : action })
    try {
      if (isPlanned(action)) {
        if (!(await confirmChange(changed, action))) return
        setBusy({ modules: changed, action })
      }
      const names = changed.map(({ name }) => name)
      const done = await runModuleAction(names, action)
      // A full page load, because menus, views and rights have changed.
      if (done) location.assign('/web/apps')
    } catch (error) {
      showError(error, () => void run(changed, action))
    } finally {
      setBusy(null)
    }
  }

  const outdated = modules.filter(hasUpdate)
  const only = busy?.modules.length === 1 ? busy.modules[0]! : null
  const text = typed.trim().toLowerCase()
  const listed = modules.filter(
    (module) =>
      (text === '' ? IS_SHOWN[shown](module) : true) &&
      `${module.title} ${module.name} ${module.summary}`.toLowerCase().includes(text),
  )
  return (
    <div class="view">
      <div class="ctlbar">
        <SearchBox label={t('Search apps')} group={t('Apps')} text={typed} onInput={setTyped} />
        <span class="seg" role="group" aria-label={t('Show')}>
          {FILTERS.map(([name, label]) => (
            <button key={name} type="button" aria-pressed={shown === name} onClick={() => setShown(name)}>
              {t(label)}
            </button>
          ))}
        </span>
        {outdated.length > 1 && (
          <span class="end hs updateall worded">
            {busy !== null && only === null && busy.action !== 'preview' ? (
              <Progress {...busy} />
            ) : (
              <Button
                label={t('Update all {n}', { n: formatInteger(outdated.length) })}
                icon="arrow-up"
                // Not disabled while its plan is shown, so that the focus can return to it.
                disabled={only !== null}
                onClick={() => busy === null && void run(outdated, 'update')}
              />
            )}
          </span>
        )}
      </div>
      <div class="scroll" data-scroll="apps">
        {listed.length === 0 ? (
          <Empty icon="search-x" title={t('Nothing found')} text={t('No app fits this search.')} />
        ) : (
          <ul class="mods">
            {listed.map((module) => (
              <ModuleCard
                key={module.name}
                module={module}
                action={only === module ? busy!.action : null}
                // The module whose plan is shown is not blocked, so that the focus can return to its button.
                isBlocked={busy !== null && !(only === module && busy.action === 'preview')}
                onRun={(action) => busy === null && void run([module], action)}
              />
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

interface ModuleCardProps {
  readonly module: WireModule
  /** The action that is running on the module. */
  readonly action: ModuleAction | null
  readonly isBlocked: boolean
  readonly onRun: (action: ModuleAction) => void
}

const ModuleCard = ({ module, action, isBlocked, onRun }: ModuleCardProps) => (
  <li class="panel mod">
    <AppTile module={module.name} isLarge />
    <div class="grow">
      <h2>{module.title}</h2>
      <p class="t2">{module.summary}</p>
      <div class="hs ft">
        <span class="t3 fs12 tn">
          {hasUpdate(module)
            ? t('{from} → {to}', { from: module.installedVersion ?? '', to: module.version })
            : module.version}
        </span>
        <span class="end hs">
          {action !== null && <Progress modules={[module]} action={action} />}
          {(action === null || action === 'preview') && (
            <Offers module={module} isBlocked={isBlocked} isSilent={action !== null} onRun={onRun} />
          )}
        </span>
      </div>
    </div>
  </li>
)

interface OffersProps extends Omit<ModuleCardProps, 'action'> {
  /** Without the state, for which there is no room beside the progress. */
  readonly isSilent: boolean
}

function Offers({ module, isBlocked, isSilent, onRun }: OffersProps) {
  const { state, title } = module
  if (state === 'uninstalled')
    return <Button label={t('Install')} size="sm" disabled={isBlocked} onClick={() => onRun('install')} />
  return (
    <>
      {state === 'inactive' ? (
        <Button label={t('Activate')} size="sm" disabled={isBlocked} onClick={() => onRun('activate')} />
      ) : hasUpdate(module) ? (
        <Button label={t('Update')} icon="arrow-up" size="sm" disabled={isBlocked} onClick={() => onRun('update')} />
      ) : (
        !isSilent && (
          <span class="state success fs12">
            <Icon name="check" />
            {t('Installed')}
          </span>
        )
      )}
      <MenuButton
        label={t('Actions for {module}', { module: title })}
        icon="ellipsis"
        iconOnly
        kind="ghost"
        size="sm"
        align="end"
        disabled={isBlocked}
        items={() => menuOf(module, onRun)}
      />
    </>
  )
}

function menuOf({ state, neededBy }: WireModule, onRun: (action: ModuleAction) => void): readonly MenuItem[] {
  const isNeeded = neededBy.length > 0
  const { modules = [] } = services().session.bootstrap
  const titles = modules.flatMap(({ name, title }) => (neededBy.includes(name) ? title : []))
  const note = isNeeded ? { note: t('needed by {modules}', { modules: titles.join(', ') }) } : {}
  return [
    { label: t('Update'), icon: 'arrow-up', run: () => onRun('update') },
    state === 'inactive'
      ? { label: t('Activate'), icon: 'play', run: () => onRun('activate') }
      : { label: t('Deactivate…'), icon: 'eye-off', disabled: isNeeded, ...note, run: () => onRun('deactivate') },
    {
      label: t('Uninstall…'),
      icon: 'trash-2',
      isDanger: true,
      isSeparated: true,
      disabled: isNeeded,
      ...note,
      run: () => onRun('uninstall'),
    },
  ]
}

const DOING: Readonly<Record<ModuleAction, string>> = {
  install: msg('Installing'),
  uninstall: msg('Uninstalling'),
  update: msg('Updating'),
  activate: msg('Activating'),
  deactivate: msg('Deactivating'),
  preview: msg('Looking'),
}

function Progress({ modules: changed, action }: Busy) {
  const progress = useProgress(action === 'install' || action === 'update')
  const { modules = [] } = services().session.bootstrap
  const loading = modules.find(({ name }) => name === progress?.module)?.title
  const label = `${t(DOING[action])} ${modulesTitle(changed)}`
  if (progress === null || loading === undefined)
    return (
      <>
        <span class="fs12 t2">{t(DOING[action])}</span>
        <span class="bar endless" role="progressbar" aria-label={label}>
          <span />
        </span>
      </>
    )
  const { done, total } = progress
  return (
    <>
      <span class="fs12 t2">
        {t('{title}, {n} of {total}', { title: loading, n: formatInteger(done + 1), total: formatInteger(total) })}
      </span>
      <progress class="bar" aria-label={label} value={done + 0.5} max={total} />
    </>
  )
}
