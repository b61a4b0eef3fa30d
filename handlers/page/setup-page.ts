import { timeZoneLabel, timeZones } from '../../kernel/domain/time-zones.ts'
import type { Answer } from '../../kernel/http/respond.ts'
import { mergeWords, type Translate, translatorIn } from '../../kernel/i18n/translate.ts'
import type { Catalogue } from '../../kernel/module/graph.ts'
import type { CurrencyChoice } from '../../kernel/module/setup.ts'
import { type Html, html } from '../../kernel/page/html.ts'
import { icon } from '../../kernel/page/icon.ts'
import { brand, languageFor, note, type PageReader, page, translatorFor } from '../../kernel/page/layout.ts'
import { newPasswordField } from './account-page.ts'

export interface SetupValues {
  readonly company?: string
  readonly name?: string | undefined
  readonly login?: string
  readonly language?: string
  readonly timezone?: string
  readonly currency?: string
  readonly demo?: boolean
  readonly modules?: readonly string[]
}

export interface SetupPage {
  readonly catalogue: Catalogue
  readonly currencies: readonly CurrencyChoice[]
  readonly csrfToken: string
  readonly cookies: readonly string[]
  /** The moment for which the offsets of time zones are shown. */
  readonly now: Date
  readonly needsToken: boolean
  readonly values: SetupValues
  /** Why the set-up failed, by field. */
  readonly problems?: Readonly<Record<string, string>>
  readonly status?: number
}

const LANGUAGES = [
  ['en', 'English'],
  ['de', 'Deutsch'],
] as const

/** The set-up wizard: one form, which scripts show in three steps with the progress of the installation. */
export function setupPage(reader: PageReader, setup: SetupPage): Answer {
  const t = translatorFor(reader)
  const { csrfToken, needsToken, values, problems = {} } = setup
  const body = html`<div class="corner"><button type="button" class="btn icon ghost" aria-label="${t('Switch theme')}" data-toggle-theme hidden>${icon('theme')}</button></div>
<main class="auth wide-auth"><form class="authbox setup" method="post" action="/setup/init" data-setup data-missing="${t('Please fill this in.')}" data-short="${t('Must have at least 10 characters.')}"><div class="hs">${brand}<span class="t3 end" data-step-text="${t('Step {n} of {total}')}"></span></div><div class="steps" role="img" data-steps hidden></div>
<h1>${t('Set up Modulus')}</h1>
${Object.entries(problems).map(([name, problem]) => name !== 'password' && note('danger', nameProblem(t, name, t(problem))))}
<input type="hidden" name="csrf_token" value="${csrfToken}">
${step(
  t('Your company'),
  t('You can add more companies later.'),
  html`${needsToken && tokenField(t)}
${textField(t('Company name'), 'company', values.company, 'organization', { isWide: true })}`,
)}
${step(
  t('Administrator and language'),
  t('This account can install apps and manage users. You can add people later.'),
  html`${textField(t('Full name'), 'name', values.name, 'name', { isRequired: false })}
${textField(t('Login or e-mail'), 'login', values.login, 'username')}
${newPasswordField(t, problems.password, t('Password'))}
${selectField(t('Language'), 'language', LANGUAGES, values.language ?? 'en')}
${selectField(t('Time zone'), 'timezone', zoneOptions(setup), values.timezone ?? 'UTC')}
${selectField(t('Currency'), 'currency', currencyOptions(setup, languageFor(reader)), values.currency ?? 'EUR')}`,
)}
${step(
  t('Apps'),
  t('Install more, or remove some, whenever you like.'),
  html`<div class="field full"><div class="choices">${appChoices(reader, setup)}</div></div>
<div class="field full"><label class="opt demo"><input type="checkbox" class="switch" role="switch" name="demo" value="1"${values.demo === false ? null : CHECKED}><span><span class="med">${t('Fill with demo data')}</span><br><span class="hint">${t('Companies, orders, a live pipeline and projects to explore.')}</span></span></label></div>`,
)}
<div class="wait" role="status" aria-live="polite" data-progress data-installing="${t('Installing {module} …')}" data-finishing="${t('Almost there …')}" hidden><progress max="1" value="0"></progress><span></span></div>
<footer class="hs"><button type="button" class="btn lg ghost" data-back hidden>${icon('left')}${t('Back')}</button><button type="button" class="btn primary lg end" data-next hidden>${t('Continue')}${icon('right')}</button><button type="submit" class="btn primary lg end">${t('Set up')}</button></footer></form></main>`
  return page(reader, {
    title: t('Set up'),
    body,
    status: setup.status ?? 200,
    cookies: setup.cookies,
  })
}

const LABELS: Readonly<Record<string, string>> = {
  company: 'Company name',
  name: 'Full name',
  login: 'Login or e-mail',
  email: 'Login or e-mail',
  language: 'Language',
  timezone: 'Time zone',
  currency: 'Currency',
  modules: 'Apps',
}

const nameProblem = (t: Translate, name: string, problem: string): string =>
  LABELS[name] === undefined ? problem : `${t(LABELS[name])}: ${problem}`

const CHECKED = html` checked`

const step = (title: string, text: string, fields: Html): Html =>
  html`<fieldset data-step><legend><h2>${title}</h2></legend><p class="t2">${text}</p><div class="fields two">${fields}</div></fieldset>`

const textField = (
  label: string,
  name: string,
  value: string | undefined,
  autocomplete: string,
  { isRequired = true, isWide = false } = {},
): Html =>
  html`<div class="field${isWide && ' full'}"><label class="label" for="${name}">${label}</label><input class="input lg" id="${name}" name="${name}" value="${value}" autocomplete="${autocomplete}"${isRequired && html` required`}></div>`

const tokenField = (t: Translate): Html =>
  html`<div class="field full"><label class="label" for="setup_token">${t('Set-up token')}</label><input class="input lg" id="setup_token" name="setup_token" autocomplete="off" spellcheck="false" required aria-describedby="token-hint"><span class="hint" id="token-hint">${t('It is on the console of the service, or in its setting SETUP_TOKEN.')}</span></div>`

const selectField = (
  label: string,
  name: string,
  options: readonly (readonly [value: string, label: string])[],
  chosen: string,
): Html =>
  html`<div class="field"><label class="label" for="${name}">${label}</label><span class="pick"><select class="select lg" id="${name}" name="${name}">${options.map(
    ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  )}</select>${icon('down')}</span></div>`

/** Currencies by their names in the language of the page, which the platform knows. */
function currencyOptions({ currencies }: SetupPage, lang: string) {
  const names = new Intl.DisplayNames([lang], { type: 'currency', fallback: 'none' })
  return currencies.map(({ name, full_name }) => {
    const shown = names.of(name) ?? full_name
    return [name, shown ? `${shown}, ${name}` : name] as const
  })
}

const zoneOptions = ({ now }: SetupPage) => timeZones().map((zone) => [zone, timeZoneLabel(zone, now)] as const)

function appChoices(reader: PageReader, { catalogue, values }: SetupPage): readonly Html[] {
  // No addon is installed yet, so its translations are taken from the addon itself.
  const lang = languageFor(reader)
  const t = translatorIn(mergeWords([...catalogue.values()].map(({ translations }) => translations)), lang)
  const say = translatorFor(reader)
  const apps = [...catalogue.values()].filter((addon) => addon.application)
  return apps.map(({ name, title, summary }) => {
    const needs = apps.filter((other) => other.name !== name && needsOf(catalogue, name).has(other.name))
    const along = needs.map((other) => t(other.title)).join(', ')
    const isChosen = values.modules?.includes(name) ?? true
    return html`<label class="opt demo"><input type="checkbox" class="check" name="modules" value="${name}" data-title="${t(title)}" data-needs="${needs.map((other) => other.name).join(' ')}"${isChosen && CHECKED}><span><span class="med">${t(title)}</span><br><span class="hint">${t(summary)}</span>${needs.length > 0 && html`<br><span class="hint">${say('Brings along: {apps}.', { apps: along })}</span>`}<span class="hint med" data-needed="${say('Needed by {apps}.')}" hidden></span></span></label>`
  })
}

/** All modules that a module depends on, directly or through others. */
function needsOf(catalogue: Catalogue, name: string, found = new Set<string>()): ReadonlySet<string> {
  for (const needed of catalogue.get(name)?.depends ?? []) {
    if (found.has(needed)) continue
    found.add(needed)
    needsOf(catalogue, needed, found)
  }
  return found
}
