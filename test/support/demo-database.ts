import { buildCatalogue, installClosure } from '../../kernel/module/graph.ts'
import { installModules } from '../../kernel/module/install.ts'
import { kernelTemplate, type Template, template } from './database.ts'
import { DEMO_ADDONS } from './demo-addons.ts'
import { openModules } from './modules.ts'

/**
 * A database with addons, all they need, and their example records. It is named after everything it contains, so that files which name
 * other addons of the same set share it, and begins where the one with base alone ends.
 */
export function demoTemplate(addons: readonly string[]): Template {
  const all = installClosure(buildCatalogue(DEMO_ADDONS), ['base'], addons).map(({ name }) => name)
  const build: Template['build'] = async ({ db }) => {
    const { services, catalogue } = openModules(db, DEMO_ADDONS)
    await installModules(services, catalogue, all, { demo: true })
  }
  const parent = addons.some((name) => name !== 'base') ? demoTemplate(['base']) : kernelTemplate
  return template(`demo_${all.join('_')}`, build, parent)
}
