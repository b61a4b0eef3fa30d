import type { Addon } from '#kernel'
import base from './base/addon.ts'
import contacts from './contacts/addon.ts'
import crm from './crm/addon.ts'
import mail from './mail/addon.ts'
import product from './product/addon.ts'
import project from './project/addon.ts'
import sale from './sale/addon.ts'
import web from './web/addon.ts'

/** Every addon of the program. The list is explicit, so that bundlers and workerd see it. */
export const bundledAddons: readonly Addon[] = [base, web, mail, contacts, product, sale, crm, project]
