import type { TestModules } from '../../support/modules.ts'

/** Addresses of one screen of each kind. */
export async function screenAddresses({ asSystem }: TestModules): Promise<readonly string[]> {
  const firstOf = (model: string) =>
    asSystem(async (env) => (await env.model(model as 'core.partner').search([], { limit: 1 }))[0]!)
  const order = await firstOf('sale.order')
  const lead = await firstOf('crm.lead')
  const partner = await firstOf('core.partner')
  const dashboard = await firstOf('sys.dashboard')
  return [
    '/web/home',
    '/web/apps',
    '/web/settings',
    '/web/settings/account',
    '/web/settings/app-logs',
    '/web/settings/users',
    '/web/settings/access',
    '/web/settings/keys',
    '/web/settings/operations',
    '/web/settings/translations',
    '/web/settings/app',
    '/web?model=sale.order&view_type=list',
    `/web?model=sale.order&view_type=form&id=${order}`,
    '/web?model=crm.lead&view_type=kanban',
    `/web?model=crm.lead&view_type=form&id=${lead}`,
    `/web?model=core.partner&view_type=form&id=${partner}`,
    '/web?model=project.task&view_type=kanban',
    '/web?model=product.product&view_type=list',
    '/web?model=sale.order&view_type=graph',
    '/web?model=sale.order&view_type=pivot',
    '/web?model=project.task&view_type=calendar&filter=',
    '/web?model=project.task&view_type=gantt&filter=',
    '/web?model=core.partner&view_type=map',
    '/web?model=crm.lead&view_type=cohort',
    `/web?model=sys.dashboard&view_type=form&id=${dashboard}#period=month`,
  ]
}
