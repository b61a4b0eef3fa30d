import { defineAddon } from '#kernel'
import demoCoreCompany from './demo/core.company.csv'
import demoCorePartner from './demo/core.partner.csv'
import demoCoreTag from './demo/core.tag.csv'
import { german } from './i18n/de.ts'
import access from './security/access.csv'
import groups from './security/core.group.csv'
import { viewFiles } from './views/files.ts'

export default defineAddon({
  name: 'contacts',
  version: '1.2',
  summary: 'People and companies, on a board and on a map',
  application: true,
  depends: ['mail'],
  models: [],
  data: [
    { name: 'security/core.group.csv', text: groups },
    { name: 'security/access.csv', text: access },
    ...viewFiles,
  ],
  demo: [
    { name: 'demo/core.company.csv', text: demoCoreCompany },
    { name: 'demo/core.tag.csv', text: demoCoreTag },
    { name: 'demo/core.partner.csv', text: demoCorePartner },
  ],
  home: {
    steps: [
      {
        sequence: 40,
        label: 'Add contacts',
        text: 'One by one, or from a spreadsheet: you see every change before it is made.',
        button: 'Import',
        model: 'core.partner',
        // Without the partners of users and companies, which were created automatically.
        domain: [
          ['account_ids', '=', null],
          ['own_company_ids', '=', null],
        ],
        needs: 'create',
        action: 'action_contacts',
        opens: 'import',
      },
    ],
  },
  translations: { de: german },
})
