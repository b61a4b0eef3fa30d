import type { WireAppSettings } from '../../../../../../kernel/view/wire-app-settings.ts'
import { t } from '../../../core/i18n.ts'
import { changeRoute, type Route } from '../../../router/codec.ts'
import { services } from '../../../services.ts'
import { Empty } from '../../../ui/empty.tsx'
import { AskedState } from '../asked-state.tsx'
import { useAsked } from '../use-asked.ts'
import { AppSettingsForm } from './app-settings-form.tsx'
import '../admin.css'
import './app-settings.css'

/** What each installed app leaves to administrators; the fragment says which app. */
export function Page({ route }: { readonly route: Route }) {
  const asked = useAsked<WireAppSettings>('/web/settings/app', ['sys.setting'])
  const found = asked.value
  if (found === null) return <AskedState asked={asked} />
  const open = found.apps.find(({ addon }) => addon === route.state['app']) ?? found.apps[0]
  if (!open) return <Empty icon="sliders-horizontal" title={t('No installed app has settings')} />
  const go = (app: string) => void services().router.go(changeRoute(route, {}, { app }), { isSibling: true })
  return (
    <div class="view">
      <div class="ctlbar">
        <span class="seg" role="group" aria-label={t('Apps')}>
          {found.apps.map(({ addon, title }) => (
            <button key={addon} type="button" aria-pressed={addon === open.addon} onClick={() => go(addon)}>
              {title}
            </button>
          ))}
        </span>
      </div>
      <div class="scroll" data-scroll="app-settings">
        <div class="adminpage appset">
          <AppSettingsForm key={open.addon} app={open} onSaved={asked.reload} />
        </div>
      </div>
    </div>
  )
}
