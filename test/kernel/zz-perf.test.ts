import { test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { installModules } from '../../kernel/module/install.ts'
import { createDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'

test('perf', async () => {
  const database = await createDatabase()
  const { services, catalogue } = openModules(database.db, bundledAddons)
  await installModules(services, catalogue, ['base', 'contacts'], { demo: true })
  for (const name of ['project']) {
    database.statements.length = 0
    const t = Date.now()
    const cpu = process.cpuUsage()
    await installModules(services, catalogue, [name], { demo: true })
    const used = process.cpuUsage(cpu)
    const kinds = new Map<string, number>()
    for (const s of database.statements) { const k = s.replace(/\s+/g, ' ').trim().slice(0, 60); kinds.set(k, (kinds.get(k) ?? 0) + 1) }
    console.log(name, Date.now() - t, 'ms', Math.round((used.user + used.system) / 1000), 'cpu', database.statements.length, [...kinds].sort((a, b) => b[1] - a[1]).slice(0, 10))
  }
  await database.drop()
}, 200000)
