import { beforeAll } from 'vitest'
import { installModules } from '../../kernel/module/install.ts'
import { describeHost } from '../support/hosts.ts'
import '../support/soak.ts'
import { attackCredentials } from './credentials.ts'
import { attackHiddenRecords } from './hidden-records.ts'
import { attackHiddenValues } from './hidden-values.ts'
import { attackLockedOrders } from './locked-orders.ts'

describeHost('the shipped addons under attack', 'process', (host) => {
  beforeAll(async () => {
    await installModules(host.modules.services, host.modules.catalogue, ['crm', 'project'], { demo: true })
  })
  attackCredentials(host)
  attackHiddenValues(host)
  attackLockedOrders(host)
  attackHiddenRecords(host)
})
