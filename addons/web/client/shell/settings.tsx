import type { WireSettingsSection } from '../../../../kernel/view/wire.ts'
import { formatInteger } from '../core/format.ts'
import { msg, t, tn } from '../core/i18n.ts'
import { services } from '../services.ts'
import { Empty } from '../ui/empty.tsx'
import { Icon } from '../ui/icon.tsx'
import { isDeveloper, toggleDeveloperMode } from './palette/developer-mode.ts'
import './settings.css'

/** Icon, label and description of each settings section, by the key the server sends. */
const SECTIONS: Readonly<Record<string, { readonly icon: string; readonly label: string; readonly text: string }>> = {
  account: { icon: 'user', label: msg('Your account'), text: msg('Password, sessions and where you are signed in') },
  companies: { icon: 'building-2', label: msg('Companies'), text: msg('Names, addresses and currencies') },
  users: { icon: 'users', label: msg('Users'), text: msg('Who may sign in, and what they may do') },
  access: {
    icon: 'lock',
    label: msg('Access rights'),
    text: msg('Who may do what, and why somebody may not'),
  },
  groups: { icon: 'shield', label: msg('Groups'), text: msg('Roles and the rights they give') },
  keys: { icon: 'key-round', label: msg('API keys'), text: msg('Programs that sign in for a user') },
  jobs: { icon: 'timer', label: msg('Operations'), text: msg('Scheduled jobs, and mail that waits to be sent') },
  modules: { icon: 'blocks', label: msg('Apps'), text: msg('Install, update and remove apps') },
  translations: {
    icon: 'languages',
    label: msg('Translations'),
    text: msg('Texts of records in other languages'),
  },
  audit: {
    icon: 'history',
    label: msg('Audit trail'),
    text: msg('Who signed in, changed rights, installed or exported'),
  },
  log: { icon: 'scroll-text', label: msg('Log'), text: msg('What the program did, as it happens') },
}

const APP = { icon: 'sliders-horizontal', text: msg('Settings of this app') }

/** The settings page, with links to all sections. */
export function Page() {
  const { settings, user } = services().session.bootstrap
  if (!settings) return <Empty icon="settings" title={t('There is nothing here')} />
  const { sections, mail, failingJobs } = settings
  return (
    <div class="view">
      <div class="scroll" data-scroll="settings">
        <div class="sethub">
          {(failingJobs > 0 || mail?.enabled === false) && (
            <div class="notes">
              {failingJobs > 0 && (
                <p class="note warning">
                  <Icon name="triangle-alert" />
                  <span>
                    {tn(
                      failingJobs,
                      '{n} scheduled job failed at its last run.',
                      '{n} scheduled jobs failed at their last run.',
                    )}
                  </span>
                </p>
              )}
              {mail?.enabled === false && (
                <p class="note">
                  <Icon name="mail" />
                  <span>
                    {mail.waiting > 0
                      ? t('Mail is not set up; {n} messages wait.', { n: formatInteger(mail.waiting) })
                      : t('Mail is not set up, so nothing is sent.')}{' '}
                    <a class="link" href="/web/settings/operations">
                      {t('Set up mail')}
                    </a>
                  </span>
                </p>
              )}
            </div>
          )}
          <ul class="setcards">
            {sections.map((section) => (
              <Card key={section.key} section={section} />
            ))}
          </ul>
          {user.isAdmin && <DeveloperMode />}
        </div>
      </div>
    </div>
  )
}

/** Shows or hides parts that only users who adapt the program need. */
function DeveloperMode() {
  const isOn = isDeveloper()
  return (
    <label class="devmode">
      <span class="lb grow">
        <b class="bold">{t('Developer mode')}</b>
        <span class="t2 fs12">{t('Shows models, fields, views, rules and other technical records in the menu')}</span>
      </span>
      <input
        type="checkbox"
        class="switch"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        onChange={() => void toggleDeveloperMode()}
      />
    </label>
  )
}

function Card({ section }: { readonly section: WireSettingsSection }) {
  const known = SECTIONS[section.key]
  const { icon, text } = known ?? (section.key.startsWith('app.') ? APP : { icon: 'settings', text: null })
  return (
    <li>
      <a class="apptile" href={section.href} data-root>
        <span class="tile l">
          <Icon name={icon} />
        </span>
        <span class="lb grow">
          <b class="bold">{known ? t(known.label) : section.label}</b>
          {text && <span class="t2 fs12">{t(text)}</span>}
        </span>
        {section.count !== null && <span class="count">{formatInteger(section.count)}</span>}
      </a>
    </li>
  )
}
