import { appsTemplate } from '../support/api-database.ts'
import { describeHost } from '../support/hosts.ts'
import '../support/soak.ts'
import { attackCredentials } from './credentials.ts'
import { attackHiddenRecords } from './hidden-records.ts'
import { attackHiddenValues } from './hidden-values.ts'
import { attackLockedOrders } from './locked-orders.ts'

describeHost('the shipped addons under attack', { kind: 'process', template: appsTemplate }, (host) => {
  attackCredentials(host)
  attackHiddenValues(host)
  attackLockedOrders(host)
  attackHiddenRecords(host)
})
