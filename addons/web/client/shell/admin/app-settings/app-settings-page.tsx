import type { WireAppSettings } from '../../../../../../kernel/admin/wire-app-settings.ts'
import { t } from '../../../core/i18n.ts'
import { changeRoute, type Route } from '../../../router/codec.ts'
import { services } from '../../../services.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Pick } from '../access/pick.tsx'
import { LoadState } from '../load-state.tsx'
import { useAsked } from '../use-asked.ts'
import { AppSettingsForm } from './app-settings-form.tsx'
import '../admin.css'
import './app-settings.css'

/** The settings of each installed app; the fragment names the app and the company. */
export function Page({ route }: { readonly route: Route }) {
  const { app, company = '' } = route.state
  const asked = useAsked<WireAppSettings>(`/web/settings/app${company && `?company=${company}`}`, ['sys.setting'])
  const found = asked.value
  if (found === null) return <LoadState asked={asked} />
  const open = found.apps.find(({ addon }) => addon === app) ?? found.apps[0]
  if (!open) return <Empty icon="sliders-horizontal" title={t('No installed app has settings')} />
  const go = (state: Readonly<Record<string, string>>) =>
    void services().router.go(changeRoute(route, {}, state), { isSibling: true })
  return (
    <div class="view">
      <div class="ctlbar">
        <span class="seg" role="group" aria-label={t('Apps')}>
          {found.apps.map(({ addon, title }) => (
            <button
              key={addon}
              type="button"
              aria-pressed={addon === open.addon}
              onClick={() => go({ app: addon, company })}
            >
              {title}
            </button>
          ))}
        </span>
        {found.companies.length > 1 && (
          <Pick
            label={t('Company')}
            value={company}
            options={[['', t('All companies')], ...found.companies.map(({ id, name }) => [String(id), name] as const)]}
            onChoose={(chosen) => go({ app: open.addon, company: chosen })}
          />
        )}
      </div>
      <div class="scroll" data-scroll="app-settings">
        <div class="adminpage appset">
          <AppSettingsForm
            key={`${open.addon} ${found.company}`}
            app={open}
            company={found.company}
            onSaved={asked.reload}
          />
        </div>
      </div>
    </div>
  )
}
