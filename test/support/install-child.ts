import base from '../../addons/base/addon.ts'
import { installModules } from '../../kernel/module/install.ts'
import { uninstallModule } from '../../kernel/module/uninstall.ts'
import { connectDatabase } from '../../runtime/postgres/database.ts'
import { shop } from './addons/shop.ts'
import { openModules } from './modules.ts'

/**
 * A process of its own that installs or uninstalls the shop and kills itself after as many statements as told; prints how many
 * it took.
 */
const [dsn = '', killAfter = '0', action = 'install'] = process.argv.slice(2)
let statements = 0
const database = connectDatabase({
  dsn,
  maxConnections: 2,
  applicationName: 'install-child',
  onQuery: () => {
    if (++statements === Number(killAfter)) process.kill(process.pid, 'SIGKILL')
  },
})
const { services, catalogue } = openModules(database.db, [base, shop()])
if (action === 'install') await installModules(services, catalogue, ['shop'])
else await uninstallModule(services, catalogue, 'shop')
await database.close()
process.stdout.write(String(statements))
