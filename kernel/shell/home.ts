import { mayReadField, mayUseModel } from '../access/acl.ts'
import { fullXmlid } from '../data/xmlid.ts'
import type { Env } from '../env.ts'
import { AppError } from '../errors.ts'
import { canSendMail } from '../mail/mail-server.ts'
import type { Field } from '../model/fields/field.ts'
import { activityFields, figureFields, type Home, type HomeActivities, type HomeFigure } from '../model/home.ts'
import type { Model } from '../model/registry.ts'
import { mayOpen } from '../navigation/action.ts'
import { pageHref } from '../navigation/href.ts'
import { menuOf, type Navigation } from '../navigation/menu.ts'
import { parseChecked } from '../orm/statement/scope.ts'
import { sql } from '../sql/sql.ts'
import type { ViewTables } from '../view/tables.ts'
import type { WireActivities, WireDomain, WireFigure, WireHome, WireStep } from '../view/wire.ts'
import { toWireField } from '../view/wire-field.ts'

type Part = Home['figures'][number] | Home['activities'][number] | Home['steps'][number]

/** Returns the address of a part's action; null if the user may not open it. */
type Lead = (part: Part) => string | null

/**
 * What the home page shows this user: parts whose action they may open and whose fields they may read. It contains the
 * queries for the client to run with the user's rights, and no records.
 */
export async function homeOf(env: Env, views: ViewTables, menus: Navigation): Promise<WireHome> {
  const { figures, activities, steps } = env.registry.home
  const lead: Lead = ({ addon, action: name }) => {
    const id = views.actionIdByXmlid.get(fullXmlid(addon, name) ?? '')
    const action = id === undefined ? undefined : views.actions.get(id)
    if (action === undefined || !mayOpen(env, action)) return null
    return pageHref({ action: action.id, menu_id: menuOf(menus, undefined, action.id) })
  }
  const examples = await uninvitedExamples(env)
  return {
    steps: inPlace(steps, await administratorSteps(env, menus), (step) => wireStep(env, step, lead(step), examples)),
    figures: figures.flatMap((part) => wireFigure(env, part, part.addon, lead(part)) ?? []),
    activities: activities.flatMap((part) => wireActivities(env, part, lead(part)) ?? []),
  }
}

type Placed = readonly [sequence: number, step: WireStep]

const inPlace = (
  declared: Home['steps'],
  own: readonly Placed[],
  wire: (step: Home['steps'][number]) => WireStep | null,
): readonly WireStep[] =>
  [
    ...own,
    ...declared.flatMap((step): readonly Placed[] => {
      const shown = wire(step)
      return shown === null ? [] : [[step.sequence, shown]]
    }),
  ]
    .sort(([a], [b]) => a - b)
    .map(([, step]) => step)

/** Steps whose completion cannot be seen in records. */
async function administratorSteps(env: Env, { apps }: Navigation): Promise<readonly Placed[]> {
  const { t } = env
  if (!env.hasGroup('base.group_system')) return []
  const mail = {
    key: 'mail',
    label: t('Send mail from your own address'),
    text: t('Invitations and messages wait in the queue until the service knows a mail server.'),
    button: t('Set up mail'),
    href: '/web/settings/operations',
    done: await canSendMail(env),
  }
  const installed = apps.filter(({ module }) => module !== 'base').map(({ name }) => name)
  const choose = {
    key: 'apps',
    label: t('Choose your apps'),
    text:
      installed.length === 0 ? t('None is installed yet.') : t('Installed: {apps}.', { apps: installed.join(', ') }),
    button: t('Browse'),
    href: '/web/apps',
    done: installed.length > 0,
  }
  return [
    [20, mail],
    [60, choose],
  ]
}

/** Users of the demo data who were not invited, so that they do not count as invited users. */
async function uninvitedExamples(env: Env): Promise<readonly number[]> {
  if (!env.hasGroup('base.group_system')) return []
  const { rows } = await sql<{ id: number }>`
    select x.res_id as id from sys_xmlid x
    where x.model = 'core.user' and x.module || '.' || x.name <> 'base.user_admin'
      and not exists (select from sys_reset r where r.user_id = x.res_id and r.invited_at is not null)`.execute(env.tx)
  return rows.map(({ id }) => id)
}

function wireStep(
  env: Env,
  step: Home['steps'][number],
  href: string | null,
  examples: readonly number[],
): WireStep | null {
  const { addon, label, text, button, model: name, domain: own = [], least = 1, needs, opens } = step
  const domain = opens === 'invite' ? [...own, ['id', 'not in', examples]] : own
  const model = env.registry.model(name)!
  if (href === null || !mayUseModel(env, name, needs) || !mayQuery(env, model, [], domain)) return null
  // Only administrators may open the page with invitations.
  if (opens === 'invite' && !env.hasGroup('base.group_system')) return null
  const places = {
    list: href,
    new: `${href}&view_type=form`,
    import: `${href}&view_type=list#import=1`,
    company: `${href}&view_type=form&id=${env.user.companyIds[0] ?? 0}`,
    invite: '/web/settings/users#invite=1',
  }
  return {
    key: `${addon} ${step.label}`,
    label: env.t(label),
    text: env.t(text),
    button: env.t(button),
    href: places[opens],
    done: { model: name, domain, least },
  }
}

function wireFigure(env: Env, figure: HomeFigure, module: string, href: string | null): WireFigure | null {
  const { model: name, date, measure, label, domain = [] } = figure
  const model = env.registry.model(name)!
  const amount = measure === undefined ? null : model.fields.get(measure)!
  const fields = [...figureFields(figure), ...(amount?.currencyField == null ? [] : [amount.currencyField])]
  if (href === null || !mayQuery(env, model, fields, domain)) return null
  const shown = amount === null ? null : toWireField(env, amount)
  return { module, label: env.t(label), model: name, domain, measure: shown, date, href }
}

function wireActivities(env: Env, activities: HomeActivities, href: string | null): WireActivities | null {
  const { model: name, title, about = null, date, user, icon, domain: own = [] } = activities
  const model = env.registry.model(name)!
  const domain = [...own, [user, 'in', [env.user.id]], [date, '!=', null]]
  if (href === null || !mayQuery(env, model, activityFields(activities), domain)) return null
  return { model: name, domain, title, about, date, icon, href }
}

function mayQuery(env: Env, model: Model, fields: readonly string[], domain: WireDomain): boolean {
  const mayRead = (field: Field | undefined) => field !== undefined && mayReadField(env, field)
  return fields.every((name) => mayRead(model.fields.get(name))) && maySearch(env, model, domain)
}

function maySearch(env: Env, model: Model, domain: WireDomain): boolean {
  try {
    parseChecked(env, model, domain)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'ACCESS_DENIED') return false
    throw error
  }
}
