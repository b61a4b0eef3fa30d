import { z } from 'zod'
import type { AuditActor } from '../../kernel/audit.ts'
import { requireFresh } from '../../kernel/auth/fresh.ts'
import { safeNext } from '../../kernel/http/next.ts'
import { jsonAnswer, redirect } from '../../kernel/http/respond.ts'
import { wantsJson } from '../../kernel/http/wants.ts'
import { activateModule, deactivateModule } from '../../kernel/module/activate.ts'
import { type Catalogue, catalogueOf, findAddon } from '../../kernel/module/graph.ts'
import { installModules, updateModules } from '../../kernel/module/install.ts'
import { type ModuleNames, moduleNames, requireSingle } from '../../kernel/module/module-names.ts'
import { withProgress } from '../../kernel/module/setup.ts'
import { previewUninstall, uninstallModule } from '../../kernel/module/uninstall.ts'
import { form, route } from '../../kernel/serve/route.ts'
import type { Services } from '../../kernel/services.ts'

type Act = (services: Services, catalogue: Catalogue, modules: ModuleNames, by: AuditActor) => Promise<unknown>

const ACTIONS = {
  install: (services, catalogue, modules, by) =>
    withProgress(services, (onProgress) => installModules(services, catalogue, modules, { by, onProgress })),
  update: (services, catalogue, modules, by) =>
    withProgress(services, (onProgress) => updateModules(services, catalogue, modules, { by, onProgress })),
  uninstall: (services, catalogue, [module], by) => uninstallModule(services, catalogue, module, by),
  activate: (services, catalogue, [module], by) => activateModule(services, catalogue, module, by),
  deactivate: (services, catalogue, [module], by) => deactivateModule(services, catalogue, module, by),
  /** Changes nothing; returns what an uninstall would remove. */
  preview: ({ db }, catalogue, [module]) => previewUninstall(db, catalogue, module),
} as const satisfies Readonly<Record<string, Act>>

/** POST /web/module/action: changes a module or updates several; for administrators. One change at a time in the whole installation. */
export const post = route({
  method: 'POST',
  path: '/web/module/action',
  auth: 'session',
  forAdministrators: 'Only an administrator may change modules.',
  tx: 'none',
  body: form(
    z.object({
      module: moduleNames,
      action: z.enum(['install', 'uninstall', 'activate', 'deactivate', 'update', 'preview']),
      next: z.string().optional(),
    }),
  ),
  async handle({ services, request, requestId, address, caller, body }) {
    requireFresh(caller)
    const catalogue = catalogueOf(services)
    const modules = requireSingle(body.module, body.action)
    for (const module of modules) findAddon(catalogue, module)
    const by = { id: caller.user.id, name: caller.user.name, address, requestId }
    const result = await ACTIONS[body.action](services, catalogue, modules, by)
    const next = safeNext(body.next, '/web/apps')
    if (!wantsJson(request)) return redirect(next)
    return jsonAnswer({ ok: true, module: modules.join(), action: body.action, result: result ?? null, redirect: next })
  },
})
