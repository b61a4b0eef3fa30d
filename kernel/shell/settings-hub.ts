import type { Env } from '../env.ts'
import { canSendMail } from '../mail/mail-server.ts'
import { mayOpen } from '../navigation/action.ts'
import { pageHref } from '../navigation/href.ts'
import { sql } from '../sql/sql.ts'
import type { ViewTables } from '../view/tables.ts'
import type { WireSettings, WireSettingsSection } from '../view/wire.ts'

interface Counts {
  readonly companies: number
  readonly users: number
  readonly groups: number
  readonly keys: number
  readonly jobs: number
  readonly modules: number
  readonly failing: number
  readonly waiting: number
}

/** Sections over the records of a model, in the order of the page. */
interface Section {
  readonly key: keyof Counts | 'access'
  readonly label: string
  readonly model: string
  /** The page of the administration, where there is one. */
  readonly page?: string
}

const recordsOf = ({ t }: Env): readonly Section[] => [
  { key: 'companies', label: t('Companies'), model: 'core.company' },
  { key: 'users', label: t('Users'), model: 'core.user', page: '/web/settings/users' },
  { key: 'access', label: t('Access rights'), model: 'core.group', page: '/web/settings/access' },
  { key: 'groups', label: t('Groups'), model: 'core.group' },
  { key: 'keys', label: t('API keys'), model: 'core.api.key', page: '/web/settings/keys' },
  { key: 'jobs', label: t('Scheduled jobs'), model: 'sys.cron', page: '/web/settings/operations' },
]

const accountOf = ({ t }: Env): WireSettingsSection => ({
  key: 'account',
  label: t('Your account'),
  href: '/web/settings/account',
  count: null,
})

/** The sections of the settings page: the user's account, and for administrators the installation. */
export async function settingsHub(env: Env): Promise<WireSettings> {
  if (!env.hasGroup('base.group_system')) return { sections: await ownSections(env), mail: null, failingJobs: 0 }
  const views = await env.views()
  const counts = await countAll(env)
  return {
    sections: [
      accountOf(env),
      ...recordsOf(env).map(({ key, label, model, page }) => ({
        key,
        label,
        href: page ?? hrefOf(env, views, model),
        count: key === 'access' ? null : counts[key],
      })),
      { key: 'modules', label: env.t('Apps'), href: '/web/apps', count: counts.modules },
      { key: 'translations', label: env.t('Translations'), href: '/web/settings/translations', count: null },
      ...env.registry.settings.map(({ addon, title }) => ({
        key: `app.${addon}`,
        label: env.t(title),
        href: `/web/settings/app#app=${addon}`,
        count: null,
      })),
      { key: 'audit', label: env.t('Audit trail'), href: hrefOf(env, views, 'sys.audit'), count: null },
      { key: 'log', label: env.t('Log'), href: '/web/settings/app-logs', count: null },
    ],
    mail: { enabled: await canSendMail(env), waiting: counts.waiting },
    failingJobs: counts.failing,
  }
}

async function ownSections(env: Env): Promise<readonly WireSettingsSection[]> {
  const count = await env.model('core.api.key').count([])
  return [accountOf(env), { key: 'keys', label: env.t('API keys'), href: '/web/settings/keys', count }]
}

async function countAll(env: Env): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select
      (select count(*)::int from core_company) as companies,
      (select count(*)::int from core_user where active) as users,
      (select count(*)::int from core_group) as groups,
      (select count(*)::int from core_api_key where active) as keys,
      (select count(*)::int from sys_cron where active) as jobs,
      (select count(*)::int from sys_module where state = 'installed' and application) as modules,
      (select count(*)::int from sys_cron where active and failures > 0) as failing,
      (select count(*)::int from sys_mail where state in ('queued', 'sending')) as waiting`.execute(env.tx)
  return rows[0]!
}

/** The first action over all records of a model, or the model itself. */
function hrefOf(env: Env, views: ViewTables, model: string): string {
  const whole = [...views.actions.values()].filter((action) => action.model === model && action.domain === null)
  const action = whole.find((each) => mayOpen(env, each))
  return pageHref(action === undefined ? { model } : { action: action.id })
}
